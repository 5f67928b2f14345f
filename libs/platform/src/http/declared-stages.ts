import {
  GUARDS_METADATA,
  HEADERS_METADATA,
  HTTP_CODE_METADATA,
  INTERCEPTORS_METADATA,
  PIPES_METADATA,
} from '@nestjs/common/constants.js';

const STAGES = [GUARDS_METADATA, PIPES_METADATA, HEADERS_METADATA, HTTP_CODE_METADATA];

/**
 * Whether this method of a controller has stages of its own, besides the global ones: a guard, a pipe, a header, a
 * status, or an interceptor other than `known`.
 */
export function hasOwnStages(controller: object, handler: object, known?: unknown): boolean {
  const targets = [controller, handler];
  const interceptors = targets.flatMap(
    (target) => (Reflect.getMetadata(INTERCEPTORS_METADATA, target) ?? []) as unknown[],
  );
  return (
    STAGES.some((stage) => targets.some((target) => Reflect.hasMetadata(stage, target))) ||
    interceptors.some((interceptor) => interceptor !== known)
  );
}
