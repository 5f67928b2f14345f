import { Controller, Get, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Health, type LivenessResponse, type ReadinessResponse } from '#platform/health';

/** `/livez` and `/readyz` of the worker, for its orchestrator. */
@Controller()
export class HealthController {
  constructor(private readonly health: Health) {}

  @Get('livez')
  live(): LivenessResponse {
    return { status: 'alive' };
  }

  @Get('readyz')
  ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<ReadinessResponse> {
    return this.health.answer(reply);
  }
}
