import { Controller, Get, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Health, READINESS_RETRY_SECONDS, type LivenessResponse, type ReadinessResponse } from '#platform/health';

/** `/livez` and `/readyz` of the worker, for its orchestrator. */
@Controller()
export class HealthController {
  constructor(private readonly health: Health) {}

  @Get('livez')
  live(): LivenessResponse {
    return { status: 'alive' };
  }

  @Get('readyz')
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<ReadinessResponse> {
    const readiness = await this.health.check();
    const isReady = readiness.status === 'ready';
    void reply.status(isReady ? 200 : 503).header('cache-control', 'no-store');
    if (!isReady) void reply.header('retry-after', READINESS_RETRY_SECONDS);
    return readiness;
  }
}
