import { Catch, HttpException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { DomainError } from './domain-error.js';
import { InternalError, NotFound, RateLimitExceeded, Unavailable, UnreadableBody } from './generic-errors.js';
import { logFailure } from './log-failure.js';
import { isOutage } from './outage.js';

/** Turns every error of a request into an error response of the interface, and logs faults of this program. */
@Catch()
export class HttpErrorFilter implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    sendError(error, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
  }
}

/**
 * Sends the error response. Fastify calls it directly for errors before Nest sees the request, such as invalid JSON.
 */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const known = resolveError(error, request);
  if (reply.sent) return;
  const types = ['application/json', 'application/problem+json'];
  const problem = new Negotiator(request).mediaType(types) === 'application/problem+json';
  if (known.retryAfterSeconds !== undefined) void reply.header('retry-after', String(known.retryAfterSeconds));
  // Normally a hook sets this header. Fastify runs no hooks for a malformed path and for the path `*`.
  void reply.header('x-request-id', request.id);
  void reply.header('cache-control', 'no-store');
  void reply
    .status(known.status)
    .type(problem ? 'application/problem+json' : 'application/json')
    .send(JSON.stringify(toBody(known, request.id, problem)));
}

/**
 * Maps what was thrown during `request` to an error of the interface. An error with a status of 500 or more is logged.
 */
export function resolveError(error: unknown, request: FastifyRequest): DomainError {
  const known = toDomainError(error);
  // The request's access log line carries the code, too.
  request.log = request.log.child({ code: known.code });
  if (known.status >= 500) logFailure(request.log, known);
  return known;
}

function toBody(error: DomainError, requestId: string, problem: boolean): Record<string, unknown> {
  const facts = { error: error.message, requestId, ...error.details };
  // In RFC 9457 `type` is a URI reference, so the code moves to the member `code`.
  return problem
    ? {
        type: `/docs/errors#${error.code}`,
        title: error.code,
        status: error.status,
        detail: error.message,
        code: error.code,
        ...facts,
      }
    : { ...facts, type: error.code };
}

function toDomainError(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  if (error instanceof HttpException) return fromStatus(error.getStatus(), error.message, error);
  if (isFastifyError(error)) return fromStatus(error.statusCode, error.message, error);
  return isOutage(error) ? new Unavailable(error) : new InternalError(error);
}

function fromStatus(status: number, message: string, cause: unknown): DomainError {
  if (status === 404) return new NotFound('Path');
  if (status === 429) return new RateLimitExceeded(1);
  if (status >= 400 && status < 500) return new UnreadableBody(message);
  return new InternalError(cause);
}

function isFastifyError(error: unknown): error is { statusCode: number; message: string } {
  return error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number';
}
