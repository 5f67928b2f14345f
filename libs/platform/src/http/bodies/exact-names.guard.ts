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
  dryRunsBesideBody,
  FIELDS_MAX,
  misspelledMembers,
  type BodyClass,
  type MisspelledOptions,
} from './misspelled-names.js';
import { isJsonObject } from './object-body.pipe.js';

const EXACT_NAMES = 'http:exact-names';

interface Exactness extends ExactNamesOptions {
  body: BodyClass;
}

export interface ExactNamesOptions extends Pick<MisspelledOptions, 'synonyms'> {
  /** Error message for a caller who may have meant a dry run; absent = dry runs are not searched for. */
  noDryRun?: string;
}

/**
 * Refuses a request with misspelled names. Validation would ignore them, and the request would mean something else: an
 * order without its price, or a quote without its tag.
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
    const { body: documented, noDryRun, synonyms } = this.reflector.get<Exactness>(EXACT_NAMES, context.getHandler());
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const fields = [
      ...(noDryRun === undefined ? [] : dryRunsBesideBody(request, noDryRun)),
      ...(isJsonObject(request.body)
        ? misspelledMembers(request.body, documented, { dryRunHint: noDryRun, synonyms })
        : []),
    ];
    if (fields.length > 0) throw new ValidationFailed(fields.slice(0, FIELDS_MAX));
    return true;
  }
}
