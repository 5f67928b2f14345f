/**
 * access: organizations, their projects, and the API keys that act for a project.
 * Owns: authentication and authorization of requests; issuing, rotating and revoking keys; request rates of a key;
 * the first responses to requests with an Idempotency-Key; the audit log.
 * Never does: know what a key is used for; keep or log a key. Only a keyed hash is stored, and the key is shown once.
 * Invariants:
 * - A route without an access rule keeps the API from starting.
 * - A route that requires an API key admits a request without the key header only if the route's `KeylessClientGuard`
 * allows the request. A request with an invalid key is always refused.
 * - A public route that admits keys checks a key that is sent as every other route does.
 * - The response to wrong credentials is always the same, whatever is wrong with them.
 * - Credentials are checked before scopes, and scopes before parameters.
 * - A revoked key stops working at once in the process that revoked it, and within a second in the others. A process
 * that does not get the database's notification accepts the key for API_KEY_CACHE_TTL_MS at most.
 * - A suspended or deleted project is refused in the same way and time as a revoked key.
 * - The payload of a request is never stored. A response that shows a secret is not stored either: such routes are
 * `@AdminOnly`, where no Idempotency-Key applies.
 */
export {
  AdminOnly,
  AnyKey,
  Public,
  RequireScope,
  RequireScopeOrKeyless,
  type PublicOptions,
  type KeylessOptions,
} from './guard/access-rule.decorators.js';
export { TakesIdempotencyKey } from './idempotency/takes-idempotency-key.decorator.js';
export { InsufficientPermissions, ProjectSuspended } from './guard/access.errors.js';
export { AdminIdParam, ADMIN_ACTOR } from './endpoints/admin-request.js';
export { AdminTokenGuard } from './guard/admin-token.guard.js';
export { Callers } from './guard/callers.js';
export {
  ADMIN_SECURITY,
  API_KEY_HEADER,
  ORGANIZATION_HEADER,
  PROJECT_HEADER,
  WALLET_HEADER,
  accessErrors,
} from './guard/credential-headers.js';
export { IdempotencyKey } from './idempotency/idempotency-key.decorator.js';
export { IDEMPOTENCY_KEY, REPLAYED_HEADER } from './idempotency/idempotency-headers.js';
export type { ProjectContext } from './guard/project-context.js';
export type { ProjectIdentity, ProjectMode } from './projects/project-identity.js';
export {
  type Caller,
  CurrentCaller,
  CurrentProject,
  OptionalWalletHeader,
  WALLET_ID,
  WalletHeader,
} from './guard/request.decorators.js';
export { scopes, type Scope } from './keys/scopes.js';
export { OVERLAP_SECONDS_DEFAULT, OVERLAP_SECONDS_MAX } from './keys/api-key-rules.js';
export { AccessModule } from './access.module.js';
export { KeylessClientGuard, type KeylessClient } from './guard/keyless-client.js';
export type { IssuedApiKey } from './keys/api-key-mint.js';
export { ApiKey } from './keys/api-key.entity.js';
export { ApiKeys } from './keys/api-keys.service.js';
export { Audit } from './audit/audit.js';
export type { AuditEntry, AuditEvent } from './audit/audit-entry.js';
export { VerifyAudit, type AuditVerdict } from './audit/verify-audit.js';
export { CreateOrganization } from './projects/create-organization.js';
export { CreateProject } from './projects/create-project.js';
export { DeleteProject } from './stopping/delete-project.js';
export { PROJECT_CHANGES_CHANNEL } from './keys/follow-api-keys.js';
export { IssueApiKey, type IssueApiKeyInput } from './keys/issue-api-key.js';
export { Organization } from './projects/organization.entity.js';
export { Organizations } from './projects/organizations.service.js';
export { Project } from './projects/project.entity.js';
export { Projects, type ActiveProject } from './projects/projects.service.js';
export { SuspendProject } from './stopping/suspend-project.js';
export { RevokeApiKey } from './keys/revoke-api-key.js';
export { RotateApiKey, type RotateApiKeyInput, type RotatedApiKey } from './keys/rotate-api-key.js';
