/**
 * platform/errors: the registry of error codes, the error classes of every feature's base, the filter that answers them.
 *
 * Owns: the form of an error body and the status of each code.
 * Never does: show the cause of an unexpected error. Invariant: every answer with status >= 400 has passed `resolveError`.
 */
export { errorCodes, isErrorCode, type ErrorCode, type ErrorCodeInfo } from './error-codes.js';
export { DomainError } from './domain-error.js';
export {
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
export { RepeatedLines } from './repeated-lines.js';
