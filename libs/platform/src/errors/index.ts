/**
 * platform/errors: the registry of error codes, the base class of all errors, and the filter that sends error
 * responses.
 *
 * Owns: the format of an error body, and the status of each code.
 * Never does: show the cause of an unexpected error. Invariant: every error of a request that has reached Fastify goes
 * through `resolveError`. The code that refuses a request earlier writes the same error body itself.
 */
export { CannotListen } from './cannot-listen.js';
export { listOf } from './list-of.js';
export { errorCodes, generalMessageOf, isErrorCode, type ErrorCode, type ErrorCodeInfo } from './error-codes.js';
export { DomainError } from './domain-error.js';
export {
  Conflict,
  InvalidRequest,
  NotFound,
  Overloaded,
  RateLimitExceeded,
  Stopping,
  Unauthorized,
  ValidationFailed,
  type InvalidField,
} from './generic-errors.js';
export { HttpErrorFilter, resolveError, sendError } from './http-error.filter.js';
export { isOutage } from './outage.js';
export { logFailedWork, reasonOf } from './log-failed-work.js';
export { RemoteError } from './remote-error.js';
