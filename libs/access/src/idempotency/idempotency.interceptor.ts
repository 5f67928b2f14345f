import { Inject, Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { lastValueFrom, of, type Observable } from 'rxjs';
import { DomainError, ValidationFailed, logFailedWork } from '#platform/errors';
import { LOGGER, type Logger } from '#platform/logging';
import { ApiKeyHasher } from '../keys/api-key-hasher.js';
import { countHeader, singleHeader, WALLET_HEADER } from '../guard/credential-headers.js';
import { ReplayedRefusal, type RefusalFacts } from './idempotency.errors.js';
import { IDEMPOTENCY_HEADER, IDEMPOTENCY_KEY, REPLAYED_HEADER } from './idempotency-headers.js';
import { IdempotentResponses, type Claim, type ProjectKey, type StoredAnswer } from './idempotent-responses.js';

export const TAKES_IDEMPOTENCY_KEY = 'idempotency.takes-key';

export interface IdempotencyOptions {
  /**
   * true: errors are not stored, because the route stores its results in rows of its own, such as orders. At a repeat,
   * a stored error may be out of date: the same request may have succeeded with another key or without a key.
   */
  refusalsMayChange?: boolean;
}

/** Statuses of errors that report missing access or too many requests. */
const TEMPORARY = new Set([401, 403, 429]);

/**
 * Handles the `Idempotency-Key` of a request: a repeat gets the first response. It runs after the guards and before the
 * pipes, so a request without credentials or scopes never claims a key. Responses that are not final are not stored
 * (see `isFinal`).
 */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(
    private readonly answers: IdempotentResponses,
    private readonly hasher: ApiKeyHasher,
    private readonly reflector: Reflector,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    const name = nameOf(request);
    if (name === null) return next.handle();
    const found = await this.answers.claim(name, this.fingerprintOf(request));
    return of(
      'owner' in found ? await this.carryOut(found, next, reply, this.keepsRefusals(context)) : replay(found, reply),
    );
  }

  private async carryOut(
    claim: Claim,
    next: CallHandler,
    reply: FastifyReply,
    keepsRefusals: boolean,
  ): Promise<unknown> {
    let result: unknown;
    try {
      result = await lastValueFrom(next.handle());
    } catch (error) {
      await this.end(
        claim,
        keepsRefusals && isFinal(error) ? { status: error.status, body: toText(factsOf(error)) } : null,
      );
      throw error;
    }
    await this.end(claim, { status: reply.statusCode, body: toText(result) });
    return result;
  }

  private keepsRefusals(context: ExecutionContext): boolean {
    const options = this.reflector.get<IdempotencyOptions | undefined>(TAKES_IDEMPOTENCY_KEY, context.getHandler());
    return options?.refusalsMayChange !== true;
  }

  /** Stores the response, or frees the key. Never throws, because the operation itself may have taken effect. */
  private async end(claim: Claim, answer: StoredAnswer | null): Promise<void> {
    try {
      await (answer === null ? this.answers.release(claim) : this.answers.keep(claim, answer));
    } catch (error) {
      const facts = { project: claim.projectId };
      const failed =
        answer === null
          ? 'an Idempotency-Key was not freed'
          : 'the response to a request with an Idempotency-Key was not stored';
      logFailedWork(this.logger, error, failed, facts);
    }
  }

  /**
   * Returns a keyed hash of the request: from an unkeyed hash, a code of only six digits in the body could be found by
   * trying all codes. The prefix keeps the hash apart from the hashes of API keys.
   */
  private fingerprintOf({ method, url, raw, body }: FastifyRequest): Buffer {
    const wallet = singleHeader(raw.rawHeaders, WALLET_HEADER);
    return this.hasher.hash(
      `idempotent request ${toText([method, url, wallet, ...(body === undefined ? [] : [body])])}`,
    );
  }
}

/** Returns the key of the request; null when the request has no key. */
function nameOf({ project, raw }: FastifyRequest): ProjectKey | null {
  if (project === undefined || countHeader(raw.rawHeaders, IDEMPOTENCY_HEADER) === 0) return null;
  const key = singleHeader(raw.rawHeaders, IDEMPOTENCY_HEADER);
  if (key !== null && IDEMPOTENCY_KEY.test(key)) return { projectId: project.id, key };
  const message = `${IDEMPOTENCY_HEADER} must be sent once, with 1 to 255 printable ASCII characters`;
  throw new ValidationFailed([{ field: IDEMPOTENCY_HEADER, message }]);
}

/**
 * Whether an error is the final result of the request. It is not final when it is temporary (a fault, a rate limit,
 * missing access, a conflict with a concurrent request) or a validation error. After an error that is not final, the
 * same key may be used again.
 */
function isFinal(error: unknown): error is DomainError {
  if (!(error instanceof DomainError) || error.status >= 500 || TEMPORARY.has(error.status)) return false;
  if (error.code === 'GENERIC_VALIDATION_ERROR') return false;
  return !(error.code === 'GENERIC_INVALID_REQUEST' && error.status === 409);
}

function factsOf({ code, message, details }: DomainError): RefusalFacts {
  return { code, message, details };
}

/**
 * Returns the response of the first request.
 * @throws ReplayedRefusal when the first request failed; the error gets the response format that the repeat accepts
 */
function replay({ status, body }: StoredAnswer, reply: FastifyReply): unknown {
  void reply.header(REPLAYED_HEADER, 'true');
  const answer: unknown = JSON.parse(body);
  if (status >= 400) throw new ReplayedRefusal(status, answer as RefusalFacts);
  void reply.status(status);
  return answer;
}

/**
 * Returns the JSON that is sent. A repeat gets the same bytes, because parsing and serializing this JSON again yields
 * the same text.
 */
function toText(value: unknown): string {
  return JSON.stringify(value);
}
