import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiErrors } from '#platform/http';
import { AnyKey } from '../guard/access-rule.decorators.js';
import { ApiKeys } from '../keys/api-keys.service.js';
import { CurrentApiKeyResponse, toCurrentApiKeyResponse } from './organization.dto.js';
import type { ProjectContext } from '../guard/project-context.js';
import { CurrentProject } from '../guard/request.decorators.js';
import { RequestRates } from '../guard/request-rates.js';

@ApiTags('Organization')
@Controller('v0/organization')
export class OrganizationController {
  constructor(
    private readonly apiKeys: ApiKeys,
    private readonly rates: RequestRates,
  ) {}

  @Get('api-key')
  @AnyKey()
  @ApiOperation({
    operationId: 'getApiKey',
    summary: 'Get API key',
    description: 'The scopes of the API key of this request, and its request rate.',
  })
  @ApiOkResponse({ type: CurrentApiKeyResponse })
  @ApiErrors('GENERIC_UNAUTHORIZED', 'GENERIC_RATE_LIMIT_EXCEEDED')
  async getApiKey(@CurrentProject() project: ProjectContext): Promise<CurrentApiKeyResponse> {
    const apiKey = await this.apiKeys.get(project.apiKeyId);
    const count = this.rates.requestCount(apiKey.id);
    return toCurrentApiKeyResponse(apiKey, { max: this.rates.keyLimit, count });
  }
}
