import type { Clock } from '#platform/clock';
import { assertOutsideTransaction } from '#platform/database';
import type { Secret } from '#platform/crypto';
import { parseBody } from '../../error-dialect.js';
import type { SubmitOptions, SubmitOutcome } from '../../exchange.port.js';
import { readAnswer, withAnswer, withoutAnswer } from '../../failed-read.js';
import { submitOnce, type SubmissionParts } from '../../submission.js';
import type { Acceptance } from '../../submit-evidence.js';
import type { HttpRequest } from '../../transport.js';

/** What a client is made of; all but the token and the queue is shared with other clients. */
export interface SandboxClientParts extends SubmissionParts {
  readonly baseUrl: string;
  readonly token: Secret;
  readonly clock: Clock;
  readonly metadataTtlMs: number;
  /** How long a withdrawal that was prepared can be booked. */
  readonly validForMs: number;
}

type Query = Readonly<Record<string, string>>;

/** The calls of one token, in order. */
export class SandboxClient {
  constructor(private readonly parts: SandboxClientParts) {}

  get exchange(): string {
    return this.parts.exchange;
  }

  get clock(): Clock {
    return this.parts.clock;
  }

  get metadataTtlMs(): number {
    return this.parts.metadataTtlMs;
  }

  get validForMs(): number {
    return this.parts.validForMs;
  }

  /** @throws ExchangeError */
  get<T>(path: string, query: Query, read: (body: unknown) => T): Promise<T> {
    const search = new URLSearchParams(query).toString();
    return this.call(this.request('GET', search === '' ? path : `${path}?${search}`), read);
  }

  /** One call that moves nothing. @throws ExchangeError */
  post<T>(path: string, body: object, read: (body: unknown) => T): Promise<T> {
    return this.call(this.request('POST', path, body), read);
  }

  /** One call that moves money. */
  submit(
    path: string,
    body: object,
    acceptance: Acceptance,
    options: Pick<SubmitOptions, 'beforeSend'>,
  ): Promise<SubmitOutcome> {
    return submitOnce(this.parts, () => this.request('POST', path, body), acceptance, options);
  }

  private async call<T>(request: HttpRequest, read: (body: unknown) => T): Promise<T> {
    const { exchange, queue, transport, errors, timeoutMs } = this.parts;
    assertOutsideTransaction(`a call to ${exchange}`);
    const answer = await queue
      .run(() => transport.send(request, { timeoutMs }))
      .catch((error: unknown) => {
        throw withoutAnswer(exchange, error);
      });
    if (answer.status !== 200) throw withAnswer(exchange, errors, answer, { kind: 'unavailable' });
    return readAnswer(exchange, new URL(request.url).pathname, parseBody(answer.body), read);
  }

  private request(method: 'GET' | 'POST', path: string, body?: object): HttpRequest {
    const headers = { authorization: `Bearer ${this.parts.token.reveal()}`, accept: 'application/json' };
    const url = `${this.parts.baseUrl}${path}`;
    if (body === undefined) return { method, url, headers };
    return { method, url, headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) };
  }
}
