import {
  applyDecorators,
  Injectable,
  SetMetadata,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { ValidationFailed } from '#platform/errors';
import {
  FIELDS_MAX,
  membersBesideBody,
  misspelledMembers,
  type BodyClass,
  type MisspelledOptions,
} from './misspelled-names.js';
import { isJsonObject } from './object-body.pipe.js';

const EXACT_NAMES = 'http:exact-names';

interface Exactness extends ExactNamesOptions {
  body: BodyClass;
}

export interface ExactNamesOptions extends Pick<MisspelledOptions, 'synonyms' | 'unsupported'> {
  /** Error message for a caller who may have meant a dry run; absent = dry runs are not searched for. */
  noDryRun?: string;
}

/**
 * Refuses a request with misspelled names or with members of the body in its query. Both would be ignored, and the
 * request would mean something else: an order without its price, or a quote without its tag.
 * @param body the class of the body
 */
export function ExactNames(body: BodyClass, options: ExactNamesOptions = {}): MethodDecorator {
  return applyDecorators(SetMetadata(EXACT_NAMES, { body, ...options }), UseGuards(ExactNamesGuard));
}

/** Runs after the checks of access, and before validation, which removes unknown members. */
@Injectable()
class ExactNamesGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const exactness = this.reflector.get<Exactness>(EXACT_NAMES, context.getHandler());
    const { body: documented, noDryRun: dryRunHint, synonyms, unsupported } = exactness;
    const options = { dryRunHint, synonyms, unsupported };
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const fields = [
      ...membersBesideBody(request, documented, options),
      ...(isJsonObject(request.body) ? misspelledMembers(request.body, documented, options) : []),
    ];
    if (fields.length > 0) throw new ValidationFailed(fields.slice(0, FIELDS_MAX));
    return true;
  }
}
