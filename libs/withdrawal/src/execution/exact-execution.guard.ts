import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ValidationFailed } from '#platform/errors';
import { inexactParts } from './exact-execution.js';

/** The error message names no more fields than this: a body can have thousands. */
const FIELDS_MAX = 20;

/**
 * Refuses an execution that is not exactly understood, after credentials and scopes were checked and before any other step.
 * It is a guard because it has to see the request as the client sent it: validation removes unknown members first.
 */
@Injectable()
export class ExactExecutionGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { body, query, headers } = context.switchToHttp().getRequest<FastifyRequest>();
    const fields = inexactParts({ body, query, headers });
    if (fields.length > 0) throw new ValidationFailed(fields.slice(0, FIELDS_MAX));
    return true;
  }
}
