import { Controller, Get, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Health, type LivenessResponse, type ReadinessResponse } from '#platform/health';

/** `/livez` and `/readyz` of the worker, for the machine that runs it. */
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
    void reply.status(readiness.status === 'ready' ? 200 : 503).header('cache-control', 'no-store');
    return readiness;
  }
}
