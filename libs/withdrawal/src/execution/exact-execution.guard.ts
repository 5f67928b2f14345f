import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ValidationFailed } from '#platform/errors';
import { inexactParts } from './exact-execution.js';

/** Most fields that an error message names; a body can have thousands. */
const FIELDS_MAX = 20;

/**
 * Refuses an execution whose request has unknown or misplaced parts. It runs after the checks of credentials and scopes and
 * before any other step. It is a guard because validation would remove unknown members first.
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
