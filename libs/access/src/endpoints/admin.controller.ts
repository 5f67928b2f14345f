import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { ApiBody, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiErrors, ExactNames, PageQuery, toPagination } from '#platform/http';
import { AdminOnly } from '../guard/access-rule.decorators.js';
import { ADMIN_ACTOR, AdminIdParam } from './admin-request.js';
import {
  ApiKeyListResponse,
  ApiKeyResponse,
  CreateOrganizationRequest,
  CreateProjectRequest,
  IssueApiKeyRequest,
  IssuedApiKeyResponse,
  OrganizationListResponse,
  OrganizationResponse,
  ProjectListResponse,
  ProjectResponse,
  RotateApiKeyRequest,
  RotatedApiKeyResponse,
  toApiKeyResponse,
  toIssuedApiKeyResponse,
  toOrganizationResponse,
  toProjectResponse,
  toRotatedApiKeyResponse,
} from './admin.dto.js';
import { ApiKeys } from '../keys/api-keys.service.js';
import { CreateOrganization } from '../projects/create-organization.js';
import { CreateProject } from '../projects/create-project.js';
import { DeleteProject } from '../stopping/delete-project.js';
import { IssueApiKey } from '../keys/issue-api-key.js';
import { Organizations } from '../projects/organizations.service.js';
import { Projects } from '../projects/projects.service.js';
import { SuspendProject } from '../stopping/suspend-project.js';
import { RevokeApiKey } from '../keys/revoke-api-key.js';
import { RotateApiKey } from '../keys/rotate-api-key.js';

const refused = ['GENERIC_UNAUTHORIZED', 'GENERIC_RATE_LIMIT_EXCEEDED'] as const;

@ApiTags('Admin')
@Controller('v0/admin')
export class AdminController {
  constructor(
    private readonly organizations: Organizations,
    private readonly projects: Projects,
    private readonly apiKeys: ApiKeys,
    private readonly createOrganization: CreateOrganization,
    private readonly createProject: CreateProject,
    private readonly suspendProject: SuspendProject,
    private readonly deleteProject: DeleteProject,
    private readonly issueApiKey: IssueApiKey,
    private readonly rotateApiKey: RotateApiKey,
    private readonly revokeApiKey: RevokeApiKey,
  ) {}

  @Post('organizations')
  @AdminOnly()
  @ApiOperation({
    operationId: 'createOrganization',
    summary: 'Create organization',
    description: 'An organization owns projects.',
  })
  @ApiCreatedResponse({ type: OrganizationResponse })
  @ApiErrors(...refused)
  async postOrganization(@Body() body: CreateOrganizationRequest): Promise<OrganizationResponse> {
    return toOrganizationResponse(await this.createOrganization.execute(body));
  }

  @Get('organizations')
  @AdminOnly()
  @ApiOperation({
    operationId: 'listOrganizations',
    summary: 'List organizations',
    description: 'All organizations of this installation.',
  })
  @ApiOkResponse({ type: OrganizationListResponse })
  @ApiErrors(...refused)
  async listOrganizations(@Query() query: PageQuery): Promise<OrganizationListResponse> {
    const { organizations, totalCount } = await this.organizations.list(query);
    return { organizations: organizations.map(toOrganizationResponse), pagination: toPagination(totalCount, query) };
  }

  @Post('organizations/:id/projects')
  @AdminOnly()
  @ApiOperation({
    operationId: 'createProject',
    summary: 'Create project',
    description: 'Wallets, quotes and withdrawals belong to one project.',
  })
  @ApiCreatedResponse({ type: ProjectResponse })
  @ApiErrors(...refused, 'GENERIC_NOT_FOUND')
  async postProject(@Param() { id }: AdminIdParam, @Body() body: CreateProjectRequest): Promise<ProjectResponse> {
    return toProjectResponse(await this.createProject.execute({ ...body, organizationId: id, actor: ADMIN_ACTOR }));
  }

  @Get('organizations/:id/projects')
  @AdminOnly()
  @ApiOperation({
    operationId: 'listProjects',
    summary: 'List projects',
    description: 'The projects of an organization.',
  })
  @ApiOkResponse({ type: ProjectListResponse })
  @ApiErrors(...refused, 'GENERIC_NOT_FOUND')
  async listProjects(@Param() { id }: AdminIdParam, @Query() query: PageQuery): Promise<ProjectListResponse> {
    const organization = await this.organizations.get(id);
    const { projects, totalCount } = await this.projects.list(organization.id, query);
    return { projects: projects.map(toProjectResponse), pagination: toPagination(totalCount, query) };
  }

  @Put('projects/:id/suspension')
  @AdminOnly()
  @ApiOperation({
    operationId: 'suspendProject',
    summary: 'Suspend project',
    description:
      'All processes refuse requests for the project within a second: those with an API key get 403 with `result.reason: "suspended"`. Connect pages, listeners and webhooks stop. The credentials of its wallets are only used to settle open withdrawals and orders. Repeating the request changes nothing.',
  })
  @ApiOkResponse({ type: ProjectResponse })
  @ApiErrors(...refused, 'GENERIC_NOT_FOUND')
  async suspend(@Param() { id }: AdminIdParam): Promise<ProjectResponse> {
    return toProjectResponse(await this.suspendProject.suspend(id, ADMIN_ACTOR));
  }

  @Delete('projects/:id/suspension')
  @AdminOnly()
  @ApiOperation({
    operationId: 'resumeProject',
    summary: 'Resume project',
    description:
      'Ends the suspension. Background work continues where it stopped, and webhooks that were due are sent. Repeating the request changes nothing.',
  })
  @ApiOkResponse({ type: ProjectResponse })
  @ApiErrors(...refused, 'GENERIC_NOT_FOUND')
  async resume(@Param() { id }: AdminIdParam): Promise<ProjectResponse> {
    return toProjectResponse(await this.suspendProject.resume(id, ADMIN_ACTOR));
  }

  @Delete('projects/:id')
  @AdminOnly()
  @ApiOperation({
    operationId: 'deleteProject',
    summary: 'Delete project',
    description:
      'Deletes the project for ever and revokes its keys, which all processes refuse with 401 within a second. The credentials, balances and identities of its wallets and its webhook endpoints are erased soon after. Open withdrawals and orders are still settled, and the history stays. Repeating the request changes nothing.',
  })
  @ApiOkResponse({ type: ProjectResponse })
  @ApiErrors(...refused, 'GENERIC_NOT_FOUND')
  async removeProject(@Param() { id }: AdminIdParam): Promise<ProjectResponse> {
    return toProjectResponse(await this.deleteProject.execute(id, ADMIN_ACTOR));
  }

  @Post('projects/:id/api-keys')
  @ExactNames(IssueApiKeyRequest)
  @AdminOnly()
  @ApiOperation({
    operationId: 'issueApiKey',
    summary: 'Issue API key',
    description: 'Only this response contains the key, because only a keyed hash of it is stored.',
  })
  @ApiCreatedResponse({ type: IssuedApiKeyResponse })
  @ApiErrors(...refused, 'GENERIC_NOT_FOUND')
  async postApiKey(@Param() { id }: AdminIdParam, @Body() body: IssueApiKeyRequest): Promise<IssuedApiKeyResponse> {
    const { name, scopes, expiresAt, ipAllowlist } = body;
    const issued = await this.issueApiKey.execute({
      projectId: id,
      name,
      scopes,
      expiresAt: toDate(expiresAt),
      ipAllowlist: ipAllowlist ?? [],
      actor: ADMIN_ACTOR,
    });
    return toIssuedApiKeyResponse(issued);
  }

  @Get('projects/:id/api-keys')
  @AdminOnly()
  @ApiOperation({
    operationId: 'listApiKeys',
    summary: 'List API keys',
    description: 'The keys of a project, without the keys themselves.',
  })
  @ApiOkResponse({ type: ApiKeyListResponse })
  @ApiErrors(...refused, 'GENERIC_NOT_FOUND')
  async listApiKeys(@Param() { id }: AdminIdParam, @Query() query: PageQuery): Promise<ApiKeyListResponse> {
    const project = await this.projects.getContext(id);
    const { apiKeys, totalCount } = await this.apiKeys.list(project.id, query);
    return { apiKeys: apiKeys.map(toApiKeyResponse), pagination: toPagination(totalCount, query) };
  }

  @Post('api-keys/:id/rotate')
  @ExactNames(RotateApiKeyRequest)
  @AdminOnly()
  @ApiOperation({
    operationId: 'rotateApiKey',
    summary: 'Rotate API key',
    description:
      'Issues a new key with the name, scopes and allow-list of the old key. The old key works until the overlap ends. A key can be rotated only once: the response is 409 when it was already rotated or revoked, or has expired.',
  })
  @ApiBody({ type: RotateApiKeyRequest, required: false })
  @ApiCreatedResponse({ type: RotatedApiKeyResponse })
  @ApiErrors(...refused, 'GENERIC_NOT_FOUND', '409 GENERIC_INVALID_REQUEST')
  async rotate(@Param() { id }: AdminIdParam, @Body() body: RotateApiKeyRequest): Promise<RotatedApiKeyResponse> {
    const { overlapSeconds, expiresAt } = body;
    const rotated = await this.rotateApiKey.execute({
      apiKeyId: id,
      overlapSeconds,
      expiresAt: toDate(expiresAt),
      actor: ADMIN_ACTOR,
    });
    return toRotatedApiKeyResponse(rotated);
  }

  @Delete('api-keys/:id')
  @AdminOnly()
  @ApiOperation({
    operationId: 'revokeApiKey',
    summary: 'Revoke API key',
    description: 'Revokes the key. All processes refuse it within five seconds. Repeating the request changes nothing.',
  })
  @ApiOkResponse({ type: ApiKeyResponse })
  @ApiErrors(...refused, 'GENERIC_NOT_FOUND')
  async revoke(@Param() { id }: AdminIdParam): Promise<ApiKeyResponse> {
    return toApiKeyResponse(await this.revokeApiKey.execute(id, ADMIN_ACTOR));
  }
}

function toDate(text: string | null | undefined): Date | null | undefined {
  return typeof text === 'string' ? new Date(text) : text;
}
