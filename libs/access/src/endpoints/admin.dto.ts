import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsIn,
  IsInt,
  IsISO8601,
  IsOptional,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
} from 'class-validator';
import { ApiField, ApiOptionalField, ApiTimeOrNull, PaginationResponse } from '#platform/http';
import { ALLOWLIST_LENGTH_MAX, OVERLAP_SECONDS_DEFAULT, OVERLAP_SECONDS_MAX } from '../keys/api-key-rules.js';
import { NAME_LENGTH_MAX, NAME_PATTERN } from '../projects/name-rule.js';
import type { RotatedApiKey } from '../keys/rotate-api-key.js';
import type { ApiKey } from '../keys/api-key.entity.js';
import type { IssuedApiKey } from '../keys/api-key-mint.js';
import type { Organization } from '../projects/organization.entity.js';
import type { Project } from '../projects/project.entity.js';
import { projectModes, type ProjectMode } from '../projects/project-identity.js';
import { scopes, type Scope } from '../keys/scopes.js';

const NAME_MESSAGE = `name must be 1 to ${NAME_LENGTH_MAX} printable characters`;
const ZONED_TIME = /T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})$/;
const ZONED_TIME_MESSAGE = 'expiresAt must be an ISO 8601 time with a time zone';
/** Length of the longest text of an IPv6 range. */
const ALLOWLIST_ENTRY_LENGTH_MAX = 49;

export class CreateOrganizationRequest {
  @ApiField('Name for people. It need not be unique.', { minLength: 1, maxLength: NAME_LENGTH_MAX, example: 'Shop' })
  @IsString()
  @Matches(NAME_PATTERN, { message: NAME_MESSAGE })
  name: string;
}

export class CreateProjectRequest {
  @ApiField('Name for people. It need not be unique.', { minLength: 1, maxLength: NAME_LENGTH_MAX, example: 'Shop' })
  @IsString()
  @Matches(NAME_PATTERN, { message: NAME_MESSAGE })
  name: string;

  @ApiField(
    'Wallets of a `test` project are at the sandbox exchange, wallets of a `live` project at real exchanges. The mode never changes.',
    { enum: projectModes },
  )
  @IsIn(projectModes)
  mode: ProjectMode;
}

export class IssueApiKeyRequest {
  @ApiField('Name for people. It need not be unique.', {
    minLength: 1,
    maxLength: NAME_LENGTH_MAX,
    example: 'Server of the shop',
  })
  @IsString()
  @Matches(NAME_PATTERN, { message: NAME_MESSAGE })
  name: string;

  @ApiField('What the key may do.', { enum: scopes, isArray: true, minItems: 1, uniqueItems: true })
  @IsIn(scopes, { each: true })
  @ArrayUnique()
  @ArrayMinSize(1)
  @IsArray()
  scopes: Scope[];

  @ApiOptionalField('When the key expires; ISO 8601 with a time zone, in the future. Absent or null: never.', {
    type: 'string',
    format: 'date-time',
    nullable: true,
  })
  @IsOptional()
  @IsISO8601({ strict: true, strictSeparator: true })
  @Matches(ZONED_TIME, { message: ZONED_TIME_MESSAGE })
  expiresAt?: string | null;

  @ApiOptionalField('IP addresses and CIDR ranges from which the key works. Absent, null or empty: all addresses.', {
    type: [String],
    maxItems: ALLOWLIST_LENGTH_MAX,
    nullable: true,
    example: ['192.0.2.7', '2001:db8::/32'],
  })
  @IsOptional()
  @MaxLength(ALLOWLIST_ENTRY_LENGTH_MAX, { each: true })
  @IsString({ each: true })
  @ArrayMaxSize(ALLOWLIST_LENGTH_MAX)
  @IsArray()
  ipAllowlist?: string[] | null;
}

export class RotateApiKeyRequest {
  @ApiOptionalField(`Seconds for which the old key still works. Default: ${OVERLAP_SECONDS_DEFAULT}.`, {
    type: 'integer',
    minimum: 0,
    maximum: OVERLAP_SECONDS_MAX,
  })
  @IsOptional()
  @Min(0)
  @Max(OVERLAP_SECONDS_MAX)
  @IsInt()
  overlapSeconds: number = OVERLAP_SECONDS_DEFAULT;

  @ApiOptionalField(
    'Expiry of the new key; ISO 8601 with a time zone, in the future; null: never. Absent: the expiry of the old key.',
    { type: 'string', format: 'date-time', nullable: true },
  )
  @IsOptional()
  @IsISO8601({ strict: true, strictSeparator: true })
  @Matches(ZONED_TIME, { message: ZONED_TIME_MESSAGE })
  expiresAt?: string | null;
}

export class OrganizationResponse {
  @ApiField('Value of `x-svc-org-id`.', { format: 'uuid' })
  id: string;

  @ApiField('Name for people.')
  name: string;

  @ApiField('When the organization was created; ISO 8601.', { format: 'date-time' })
  createdAt: string;
}

export class ProjectResponse {
  @ApiField('Value of `x-svc-project-id`.', { format: 'uuid' })
  id: string;

  @ApiField('The organization that owns it.', { format: 'uuid' })
  organizationId: string;

  @ApiField('Name for people.')
  name: string;

  @ApiField('`test`: its wallets are at the sandbox exchange. `live`: they are at real exchanges.', {
    enum: projectModes,
  })
  mode: ProjectMode;

  @ApiField('When the project was created; ISO 8601.', { format: 'date-time' })
  createdAt: string;

  @ApiTimeOrNull('When the project was suspended; ISO 8601. null: it is not suspended.')
  suspendedAt: string | null;

  @ApiTimeOrNull('When the project was deleted and its keys became invalid; ISO 8601. null: it is not deleted.')
  deletedAt: string | null;
}

export class ApiKeyResponse {
  @ApiField('Id of the key, for rotating and revoking it.', { format: 'uuid' })
  id: string;

  @ApiField('The project of the key.', { format: 'uuid' })
  projectId: string;

  @ApiField('Name for people.')
  name: string;

  @ApiField('Prefix and last four characters of the key.', { example: 'svc_live_…4xKz' })
  hint: string;

  @ApiField('What the key may do.', { enum: scopes, isArray: true })
  scopes: Scope[];

  @ApiField('IP addresses and CIDR ranges from which the key works; empty: all addresses.', { type: [String] })
  ipAllowlist: string[];

  @ApiField('When the key was issued; ISO 8601.', { format: 'date-time' })
  createdAt: string;

  @ApiTimeOrNull('When the key expires; ISO 8601. null: never.')
  expiresAt: string | null;

  @ApiTimeOrNull(
    'When the key stops working because it was revoked or rotated; ISO 8601. null: neither revoked nor rotated.',
  )
  revokedAt: string | null;

  @ApiTimeOrNull('When the key was last used, up to a minute out of date; ISO 8601. null: never.')
  lastUsedAt: string | null;
}

export class IssuedApiKeyResponse extends ApiKeyResponse {
  @ApiField('The API key, for the header `x-svc-api-key`. It is shown only in this response and cannot be read again.')
  key: string;
}

export class RotatedApiKeyResponse extends IssuedApiKeyResponse {
  @ApiField('When the old key stops working; ISO 8601.', { format: 'date-time' })
  previousWorksUntil: string;
}

export class OrganizationListResponse {
  @ApiField('One page, newest first.', { type: [OrganizationResponse] })
  organizations: OrganizationResponse[];

  @ApiField('The number of this page, and the numbers of all pages and entries.', { type: PaginationResponse })
  pagination: PaginationResponse;
}

export class ProjectListResponse {
  @ApiField('One page, newest first.', { type: [ProjectResponse] })
  projects: ProjectResponse[];

  @ApiField('The number of this page, and the numbers of all pages and entries.', { type: PaginationResponse })
  pagination: PaginationResponse;
}

export class ApiKeyListResponse {
  @ApiField('One page, newest first, with revoked and expired keys.', { type: [ApiKeyResponse] })
  apiKeys: ApiKeyResponse[];

  @ApiField('The number of this page, and the numbers of all pages and entries.', { type: PaginationResponse })
  pagination: PaginationResponse;
}

export function toOrganizationResponse({ id, name, createdAt }: Organization): OrganizationResponse {
  return { id, name, createdAt: createdAt.toISOString() };
}

export function toProjectResponse(project: Project): ProjectResponse {
  const { id, organizationId, name, mode, createdAt, suspendedAt, deletedAt } = project;
  return {
    id,
    organizationId,
    name,
    mode,
    createdAt: createdAt.toISOString(),
    suspendedAt: suspendedAt?.toISOString() ?? null,
    deletedAt: deletedAt?.toISOString() ?? null,
  };
}

export function toApiKeyResponse(apiKey: ApiKey): ApiKeyResponse {
  const { id, projectId, name, hint, scopes, ipAllowlist } = apiKey;
  return {
    id,
    projectId,
    name,
    hint,
    scopes,
    ipAllowlist,
    createdAt: apiKey.createdAt.toISOString(),
    expiresAt: apiKey.expiresAt?.toISOString() ?? null,
    revokedAt: apiKey.revokedAt?.toISOString() ?? null,
    lastUsedAt: apiKey.lastUsedAt?.toISOString() ?? null,
  };
}

export function toIssuedApiKeyResponse({ apiKey, key }: IssuedApiKey): IssuedApiKeyResponse {
  return { ...toApiKeyResponse(apiKey), key: key.reveal() };
}

export function toRotatedApiKeyResponse(rotated: RotatedApiKey): RotatedApiKeyResponse {
  return { ...toIssuedApiKeyResponse(rotated), previousWorksUntil: rotated.previousWorksUntil.toISOString() };
}
