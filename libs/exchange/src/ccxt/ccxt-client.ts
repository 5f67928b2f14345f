import type { Clock } from '#platform/clock';
import { assertOutsideTransaction } from '#platform/database';
import type { CallQueue } from '../call-queue.js';
import { ExchangeError } from '../exchange-error.js';
import type { SubmitOptions, SubmitOutcome } from '../exchange.port.js';
import { NoAnswer, type HttpRequest, type Transport } from '../transport.js';
import type { AssetCatalogue } from './asset-catalogue.js';
import type { CcxtInstance } from './ccxt-class.js';
import { mayGoAgain, toExchangeError } from './ccxt-error.js';
import type { ErrorDialect } from './error-dialect.js';
import { outcomeOf, type IdReader } from './submit-evidence.js';

/** How often a read goes out whose number another process of ours has overtaken; the exchange has looked at nothing else. */
const NONCE_TRIES = 6;
const NONCE_PAUSE_MS = 5;

/** One of an exchange's endpoints, in ccxt's words. */
export interface Endpoint {
  readonly api: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
}

/** What a client is made of; all but the first two is shared with other clients. */
export interface ClientParts {
  readonly instance: CcxtInstance;
  readonly queue: CallQueue;
  readonly assets: () => Promise<AssetCatalogue>;
  readonly transport: Transport;
  readonly errors: ErrorDialect;
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly submitTimeoutMs: number;
  readonly metadataTtlMs: number;
}

/** The calls of one credential, in order, through one ccxt instance that never gets another credential. */
export class CcxtClient {
  constructor(private readonly parts: ClientParts) {}

  get exchange(): string {
    return this.parts.instance.id;
  }

  get clock(): Clock {
    return this.parts.clock;
  }

  get metadataTtlMs(): number {
    return this.parts.metadataTtlMs;
  }

  /** The exchange's assets, shared by all credentials. @throws ExchangeError */
  async assets(): Promise<AssetCatalogue> {
    assertOutsideTransaction(`a call to ${this.exchange}`);
    return this.asExchangeError(() => this.parts.assets());
  }

  /**
   * One call that moves nothing, parsed by `read`.
   * @throws ExchangeError, also when `read` throws: an answer that cannot be read is none.
   */
  async call<T>(endpoint: Endpoint, params: Record<string, string>, read: (body: unknown) => T): Promise<T> {
    assertOutsideTransaction(`a call to ${this.exchange}`);
    const { instance, queue, errors } = this.parts;
    const once = (): Promise<unknown> =>
      instance.request(endpoint.path, endpoint.api, endpoint.method, params) as Promise<unknown>;
    const body = await this.asExchangeError(() =>
      queue.run(async () => {
        for (let tries = 1; ; tries++) {
          try {
            return await once();
          } catch (error) {
            if (tries === NONCE_TRIES || !mayGoAgain(errors, error)) throw error;
            // Another process uses the same key at this moment: out of step with it, the next number is the higher one.
            await this.clock.sleep(tries * NONCE_PAUSE_MS + (process.pid % NONCE_PAUSE_MS));
          }
        }
      }),
    );
    try {
      return read(body);
    } catch (error) {
      if (error instanceof ExchangeError) throw error;
      throw new ExchangeError('unavailable', this.exchange, `unreadable answer of ${endpoint.path}`, { cause: error });
    }
  }

  /**
   * One call that moves money: signed by ccxt, sent by us, exactly once, on a connection of its own. The library sees
   * neither the request nor the answer, so that none of its layers can repeat or reinterpret it.
   */
  async submit(
    endpoint: Endpoint,
    params: Record<string, string>,
    readId: IdReader,
    { beforeSend }: Pick<SubmitOptions, 'beforeSend'>,
  ): Promise<SubmitOutcome> {
    assertOutsideTransaction(`a submission to ${this.exchange}`);
    const { instance, queue, transport, errors, timeoutMs, submitTimeoutMs } = this.parts;
    let written = false;
    const beforeWrite = (): void => {
      beforeSend();
      written = true;
    };
    try {
      return await queue.run(async () => {
        const request = instance.sign(endpoint.path, endpoint.api, endpoint.method, params) as HttpRequest;
        const answer = await transport.send(request, {
          timeoutMs,
          answerTimeoutMs: submitTimeoutMs,
          beforeWrite,
          ownConnection: true,
        });
        return outcomeOf(errors, readId, answer);
      });
    } catch (error) {
      const reason = error instanceof NoAnswer ? error.reason : String(error);
      return written ? { kind: 'unknown', reason, answer: {} } : { kind: 'not_sent', reason };
    }
  }

  private async asExchangeError<T>(call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      throw toExchangeError(this.exchange, this.parts.errors, error);
    }
  }
}
