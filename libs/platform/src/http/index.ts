/**
 * platform/http: the parts that all HTTP endpoints share.
 *
 * Owns: limits of requests and connections, request ids, reading of bodies, validation, pagination, cache directives,
 * prepared responses, the documented error format.
 * Never does: authenticate (the access lib does). Invariants: unknown members are ignored, except those that
 * `@ExactNames()` refuses in the body and in the query. Wrong types are refused, and the error names the field. A body
 * that is not JSON is refused, except the forms of the pages for people.
 */
export { ApiErrors, type DocumentedError, type ErrorsByStatus } from './api-errors.decorator.js';
export { ApiField, ApiOptionalField, ApiTimeOrNull } from './api-field.decorator.js';
export { KeepsCache, RequestCache, setAge, type CacheKind } from './caching/cache-directives.decorators.js';
export type { CacheDirectives } from './caching/cache-directives.js';
export { CacheExpired, CacheMiss } from './caching/cache.errors.js';
export { callerOf, subscriberOf } from './connections/caller.js';
export { handConnectionOver, isAwaitingAnswer } from './connections/connections.js';
export { IgnoreUpgrade } from './connections/ignore-upgrade.js';
export { writeRefusal } from './connections/client-error.js';
export { DateQuery } from './parameters/date-query.decorator.js';
export { PreparedResponse, prepareReply, type PreparedBody } from './caching/prepared-response.js';
export { ProblemResponse } from './problem-response.dto.js';
export { IntegerQuery } from './parameters/integer-query.decorator.js';
export { MayBeAbsent } from './parameters/may-be-absent.decorator.js';
export { securityHeadersWith, setSecurityHeaders } from './security-headers.js';
export { ExactNames } from './bodies/exact-names.guard.js';
export { FIELDS_MAX, invalid, membersBesideBody, misspelledMembers } from './bodies/misspelled-names.js';
export { isJsonObject } from './bodies/object-body.pipe.js';
export { KeepsBodyText, TakesForm } from './bodies/read-bodies.js';
export { LineBreaksIn, RefuseControlCharacters } from './parameters/refuse-control-characters.guard.js';
export { configureHttpApp, createHttpAdapter, listen } from './http-app.js';
export { RefuseOnlyIfCached } from './caching/refuse-only-if-cached.guard.js';
export { LISTED_MAX, PageQuery, PaginationResponse, toPagination } from './parameters/pagination.dto.js';
