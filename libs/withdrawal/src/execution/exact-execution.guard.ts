import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ValidationFailed, type InvalidField } from '#platform/errors';
import { FIELDS_MAX, invalid, isJsonObject, membersBesideBody, misspelledMembers } from '#platform/http';
import { TAG_SYNONYMS } from '../quote/quote.dto.js';
import { ExecuteRequest } from './execute.dto.js';

const OPTIONS = {
  dryRunHint: 'request a dry run in the body, with {"params": {"dryRun": true}}',
  synonyms: TAG_SYNONYMS,
};

/**
 * Refuses an execution that contains a misspelled name, a member of the body in its query, or a part that may be meant
 * as a dry run but does not have the documented form. Validation would ignore these parts, and the execution would then
 * move money. Guards run before validation, which removes unknown members. This one runs after the checks of
 * credentials and scopes.
 */
@Injectable()
export class ExactExecutionGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const body = isJsonObject(request.body) ? request.body : {};
    const fields = [
      ...membersBesideBody(request, ExecuteRequest, OPTIONS),
      ...misspelledMembers(body, ExecuteRequest, OPTIONS),
      ...(body.params === undefined ? [] : inexactParams(body.params)),
    ];
    if (fields.length > 0) throw new ValidationFailed(fields.slice(0, FIELDS_MAX));
    return true;
  }
}

function inexactParams(params: unknown): InvalidField[] {
  if (!isJsonObject(params)) return [invalid('params', 'must be an object')];
  return Object.entries(params).flatMap(([name, value]) => {
    const field = `params.${name}`;
    if (name !== 'dryRun') return [invalid(field, 'is unknown; the only member of params is dryRun')];
    return typeof value === 'boolean' ? [] : [invalid(field, 'must be true or false')];
  });
}
