import { Controller, Get, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Public } from '#access';
import { Health, LivenessResponse, ReadinessResponse } from '#platform/health';
import { ApiErrors } from '#platform/http';

@ApiTags('Health')
@Controller()
export class HealthController {
  constructor(private readonly health: Health) {}

  @Get('livez')
  @Public()
  @ApiOperation({
    operationId: 'getLiveness',
    summary: 'Liveness',
    description:
      'Whether the process responds. It checks neither the database nor the queue: restart the process when it does not respond.',
  })
  @ApiOkResponse({ type: LivenessResponse, description: 'The process is alive.' })
  @ApiErrors()
  live(): LivenessResponse {
    return { status: 'alive' };
  }

  @Get('readyz')
  @Public()
  @ApiOperation({
    operationId: 'getReadiness',
    summary: 'Readiness',
    description:
      'Whether the process can serve requests. It checks the database, its migrations, the encryption key and the clock, and that the process is not stopping.',
  })
  @ApiOkResponse({ type: ReadinessResponse, description: 'The process can serve requests.' })
  @ApiResponse({ status: 503, type: ReadinessResponse, description: 'Send requests to another process.' })
  @ApiErrors()
  ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<ReadinessResponse> {
    return this.health.answer(reply);
  }
}
