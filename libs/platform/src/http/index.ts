/**
 * platform/http: what every HTTP endpoint of ours shares.
 *
 * Owns: limits of requests, request ids, validation, pagination, cache directives, answers that many get, the documented error form.
 * Never does: authenticate (that is access). Invariant: unknown members are ignored, wrong types are refused by name.
 */
export { ApiErrors } from './api-errors.decorator.js';
export { KeepsCache, RequestCache, setAge, type CacheKind } from './cache-directives.decorators.js';
export type { CacheDirectives } from './cache-directives.js';
export { CacheExpired, CacheMiss } from './cache.errors.js';
export { DateQuery } from './date-query.decorator.js';
export { ErrorResponse } from './error-response.dto.js';
export { PreparedAnswer, sendPrepared } from './prepared-answer.js';
export { ProblemResponse } from './problem-response.dto.js';
export { configureHttpApp, createHttpAdapter, listen } from './http-app.js';
export { RefuseOnlyIfCached } from './refuse-only-if-cached.interceptor.js';
export { PageQuery, PaginationResponse, toPagination } from './pagination.dto.js';
