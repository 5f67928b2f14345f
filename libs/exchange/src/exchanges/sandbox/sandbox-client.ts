import type { Clock } from '#platform/clock';
import { assertOutsideTransaction } from '#platform/database';
import type { Secret } from '#platform/crypto';
import type { SubmitOptions } from '../../port/exchange.port.js';
import { submitOnce, type SignedSubmission, type SubmissionParts } from '../../submission/submission.js';
import type { Submission } from '../../submission/submit-evidence.js';
import type { ListReader } from '../../transport/list-reader.js';
import { sendRead } from '../../transport/send-read.js';
import type { HttpRequest } from '../../transport/transport.js';

/** The parts of a client. All but the token and the queue are shared with other clients. */
export interface SandboxClientParts extends SubmissionParts {
  readonly baseUrl: string;
  readonly token: Secret;
  readonly clock: Clock;
  readonly lists: ListReader;
  /** How long after its preparation a withdrawal can be booked. */
  readonly validForMs: number;
}

/** A path below the base address, or a path with `{id}` in place of an id. */
export type SandboxPath = string | { readonly template: string; readonly id: string };

type Query = Readonly<Record<string, string>>;

/** Sends the calls that use one API token, one after the other. */
export class SandboxClient {
  constructor(private readonly parts: SandboxClientParts) {}

  get exchange(): string {
    return this.parts.exchange;
  }

  get clock(): Clock {
    return this.parts.clock;
  }

  /** Reads lists entry by entry. */
  get lists(): ListReader {
    return this.parts.lists;
  }

  get validForMs(): number {
    return this.parts.validForMs;
  }

  /** @throws ExchangeError */
  get<T>(path: SandboxPath, query: Query, read: (body: unknown) => T): Promise<T> {
    const search = new URLSearchParams(query).toString();
    return this.call(path, this.request('GET', search === '' ? fill(path) : `${fill(path)}?${search}`), read);
  }

  /** Sends one call that moves no money. @throws ExchangeError */
  post<T>(path: SandboxPath, body: object, read: (body: unknown) => T): Promise<T> {
    return this.call(path, this.request('POST', fill(path), body), read);
  }

  /** Sends one call that moves money. */
  submit<Receipt, Outcome extends { kind: string }>(
    path: string,
    body: object,
    submission: Submission<Receipt, Outcome>,
    options: Pick<SubmitOptions, 'beforeSend'>,
  ): Promise<Outcome> {
    const sign = (): Promise<SignedSubmission> => Promise.resolve({ request: this.request('POST', path, body) });
    const call = { operation: `POST ${path}`, address: this.parts.baseUrl, sign };
    return submitOnce(this.parts, call, submission, options);
  }

  private async call<T>(path: SandboxPath, request: HttpRequest, read: (body: unknown) => T): Promise<T> {
    assertOutsideTransaction(`a call to ${this.exchange}`);
    const operation = `${request.method} ${typeof path === 'string' ? path : path.template}`;
    return sendRead(this.parts, { operation, request, read });
  }

  private request(method: 'GET' | 'POST', path: string, body?: object): HttpRequest {
    const headers = { authorization: `Bearer ${this.parts.token.reveal()}`, accept: 'application/json' };
    const url = `${this.parts.baseUrl}${path}`;
    if (body === undefined) return { method, url, headers };
    return { method, url, headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) };
  }
}

function fill(path: SandboxPath): string {
  return typeof path === 'string' ? path : path.template.replace('{id}', encodeURIComponent(path.id));
}
