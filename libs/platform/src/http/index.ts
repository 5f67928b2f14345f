/**
 * platform/http: what every HTTP endpoint of ours shares.
 *
 * Owns: limits of requests, request ids, validation, pagination, the documented error form.
 * Never does: authenticate (that is access). Invariant: unknown members are ignored, wrong types are refused by name.
 */
export { ApiErrors } from './api-errors.decorator.js';
export { DateQuery } from './date-query.decorator.js';
export { ErrorResponse } from './error-response.dto.js';
export { ProblemResponse } from './problem-response.dto.js';
export { configureHttpApp, createHttpAdapter, listen } from './http-app.js';
export { PageQuery, PaginationResponse, toPagination } from './pagination.dto.js';
