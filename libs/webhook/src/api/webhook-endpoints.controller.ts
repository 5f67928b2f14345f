import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { ApiBody, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { AdminIdParam, AdminOnly, ADMIN_ACTOR, Projects } from '#access';
import { ApiErrors, ExactNames, PageQuery, toPagination } from '#platform/http';
import { CreateWebhookEndpoint } from '../endpoints/create-webhook-endpoint.js';
import { DeleteWebhookEndpoint } from '../endpoints/delete-webhook-endpoint.js';
import { RotateWebhookSecret } from '../endpoints/rotate-webhook-secret.js';
import { UpdateWebhookEndpoint } from '../endpoints/update-webhook-endpoint.js';
import { WebhookEndpoints } from '../endpoints/webhook-endpoints.service.js';
import {
  CreatedWebhookEndpointResponse,
  CreateWebhookEndpointRequest,
  RotatedWebhookSecretResponse,
  RotateWebhookSecretRequest,
  toCreatedEndpointResponse,
  toEndpointResponse,
  toRotatedSecretResponse,
  UpdateWebhookEndpointRequest,
  WebhookEndpointListResponse,
  WebhookEndpointResponse,
} from './webhook.dto.js';

const refused = ['GENERIC_UNAUTHORIZED', 'GENERIC_RATE_LIMIT_EXCEEDED', 'GENERIC_NOT_FOUND'] as const;

@ApiTags('Webhooks')
@Controller('v0/admin')
export class WebhookEndpointsController {
  constructor(
    private readonly projects: Projects,
    private readonly endpoints: WebhookEndpoints,
    private readonly create: CreateWebhookEndpoint,
    private readonly update: UpdateWebhookEndpoint,
    private readonly remove: DeleteWebhookEndpoint,
    private readonly rotate: RotateWebhookSecret,
  ) {}

  @Post('projects/:id/webhook-endpoints')
  @AdminOnly()
  @ApiOperation({
    operationId: 'createWebhookEndpoint',
    summary: 'Create webhook endpoint',
    description:
      'The endpoint receives the events of the project that are recorded from now on. Only this response contains the secret. The response is 409 when the project has too many endpoints.',
  })
  @ApiCreatedResponse({ type: CreatedWebhookEndpointResponse })
  @ApiErrors(...refused, '409 GENERIC_INVALID_REQUEST')
  async postEndpoint(
    @Param() { id: projectId }: AdminIdParam,
    @Body() { url, description = '', eventTypes = [] }: CreateWebhookEndpointRequest,
  ): Promise<CreatedWebhookEndpointResponse> {
    const input = { projectId, url, description, eventTypes, actor: ADMIN_ACTOR };
    return toCreatedEndpointResponse(await this.create.execute(input));
  }

  @Get('projects/:id/webhook-endpoints')
  @AdminOnly()
  @ApiOperation({
    operationId: 'listWebhookEndpoints',
    summary: 'List webhook endpoints',
    description: 'The endpoints of a project, without their secrets.',
  })
  @ApiOkResponse({ type: WebhookEndpointListResponse })
  @ApiErrors(...refused)
  async listEndpoints(@Param() { id }: AdminIdParam, @Query() query: PageQuery): Promise<WebhookEndpointListResponse> {
    const project = await this.projects.getContext(id);
    const { endpoints, totalCount } = await this.endpoints.list(project.id, query);
    return { endpoints: endpoints.map(toEndpointResponse), pagination: toPagination(totalCount, query) };
  }

  @Get('webhook-endpoints/:id')
  @AdminOnly()
  @ApiOperation({
    operationId: 'getWebhookEndpoint',
    summary: 'Get webhook endpoint',
    description: 'One endpoint, without its secret.',
  })
  @ApiOkResponse({ type: WebhookEndpointResponse })
  @ApiErrors(...refused)
  async getEndpoint(@Param() { id }: AdminIdParam): Promise<WebhookEndpointResponse> {
    return toEndpointResponse(await this.endpoints.get(id));
  }

  @Put('webhook-endpoints/:id')
  @AdminOnly()
  @ApiOperation({
    operationId: 'updateWebhookEndpoint',
    summary: 'Update webhook endpoint',
    description:
      'Changes only the members that the body contains. Enabling a disabled endpoint continues its pending deliveries; `resendWebhookDeliveries` adds the events that were recorded while it was disabled.',
  })
  @ApiOkResponse({ type: WebhookEndpointResponse })
  @ApiErrors(...refused)
  async putEndpoint(
    @Param() { id }: AdminIdParam,
    @Body() body: UpdateWebhookEndpointRequest,
  ): Promise<WebhookEndpointResponse> {
    return toEndpointResponse(await this.update.execute(id, body, ADMIN_ACTOR));
  }

  @Delete('webhook-endpoints/:id')
  @AdminOnly()
  @ApiOperation({
    operationId: 'deleteWebhookEndpoint',
    summary: 'Delete webhook endpoint',
    description: 'Deletes the endpoint with its secrets and its log. Nothing more is delivered to it.',
  })
  @ApiOkResponse({ type: WebhookEndpointResponse })
  @ApiErrors(...refused)
  async deleteEndpoint(@Param() { id }: AdminIdParam): Promise<WebhookEndpointResponse> {
    return toEndpointResponse(await this.remove.execute(id, ADMIN_ACTOR));
  }

  @Post('webhook-endpoints/:id/rotate')
  @ExactNames(RotateWebhookSecretRequest)
  @AdminOnly()
  @ApiOperation({
    operationId: 'rotateWebhookSecret',
    summary: 'Rotate webhook secret',
    description:
      'Creates a new secret, which only this response contains. During the overlap each webhook has two signatures, one by each secret. The response is 409 while the endpoint has three secrets that sign.',
  })
  @ApiBody({ type: RotateWebhookSecretRequest, required: false })
  @ApiCreatedResponse({ type: RotatedWebhookSecretResponse })
  @ApiErrors(...refused, '409 GENERIC_INVALID_REQUEST')
  async rotateSecret(
    @Param() { id }: AdminIdParam,
    @Body() { overlapSeconds }: RotateWebhookSecretRequest,
  ): Promise<RotatedWebhookSecretResponse> {
    return toRotatedSecretResponse(await this.rotate.execute(id, overlapSeconds, ADMIN_ACTOR));
  }
}
