/**
 * platform/http: the parts that all HTTP endpoints share.
 *
 * Owns: limits of requests and connections, request ids, reading of bodies, validation, pagination, cache directives,
 * prepared responses, the documented error format.
 * Never does: authenticate (the access lib does). Invariants: unknown members are ignored. Wrong types are refused, and the
 * error names the field. A body that is not JSON is refused, except the forms of the pages for people.
 */
export { ApiErrors } from './api-errors.decorator.js';
export { KeepsCache, RequestCache, setAge, type CacheKind } from './cache-directives.decorators.js';
export type { CacheDirectives } from './cache-directives.js';
export { CacheExpired, CacheMiss } from './cache.errors.js';
export { callerOf } from './caller.js';
export { handConnectionOver, isAwaitingAnswer } from './connections.js';
export { IgnoreUpgrade } from './ignore-upgrade.js';
export { writeRefusal } from './client-error.js';
export { DateQuery } from './date-query.decorator.js';
export { ErrorResponse } from './error-response.dto.js';
export { PreparedAnswer, sendPrepared } from './prepared-answer.js';
export { ProblemResponse } from './problem-response.dto.js';
export { IntegerQuery } from './integer-query.decorator.js';
export { TakesForm } from './read-bodies.js';
export { LineBreaksIn, RefuseControlCharacters } from './refuse-control-characters.interceptor.js';
export { configureHttpApp, createHttpAdapter, listen } from './http-app.js';
export { RefuseOnlyIfCached } from './refuse-only-if-cached.interceptor.js';
export { PageQuery, PaginationResponse, toPagination } from './pagination.dto.js';
