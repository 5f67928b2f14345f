import type { Clock } from '#platform/clock';
import { assertOutsideTransaction } from '#platform/database';
import type { ErrorMap } from '../transport/error-map.js';
import type { SubmitOptions } from '../port/exchange.port.js';
import { readResponse } from '../transport/failed-read.js';
import { submitOnce, type SignedSubmission, type SubmissionParts } from '../submission/submission.js';
import type { Submission } from '../submission/submit-evidence.js';
import type { HttpRequest } from '../transport/transport.js';
import type { AssetCatalogue } from './asset-catalogue.js';
import type { CcxtInstance } from './ccxt-class.js';
import { mayGoAgain, toExchangeError } from './ccxt-error.js';
import { NonceNotTaken, type CredentialNonces } from './signing-nonces.js';

/** How often a read goes out whose nonce another call has overtaken; the exchange has compared nothing else. */
const NONCE_TRIES = 6;
const NONCE_PAUSE_MS = 5;

/** One of an exchange's endpoints, in ccxt's words. */
export interface Endpoint {
  readonly api: string | readonly string[];
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
}

/** What a client is made of; all but the instance and the queue is shared with other clients. */
export interface ClientParts extends SubmissionParts {
  readonly baseUrl: string;
  readonly instance: CcxtInstance;
  /** null = the exchange wants no nonces. */
  readonly nonces: CredentialNonces | null;
  readonly assets: () => Promise<AssetCatalogue>;
  readonly clock: Clock;
  readonly metadataTtlMs: number;
}

/** The calls of one credential, in order, through one ccxt instance that never gets another credential. */
export class CcxtClient {
  constructor(private readonly parts: ClientParts) {}

  get exchange(): string {
    return this.parts.exchange;
  }

  get clock(): Clock {
    return this.parts.clock;
  }

  get metadataTtlMs(): number {
    return this.parts.metadataTtlMs;
  }

  /** The same calls, where the exchange's codes mean something else. */
  speaking(errors: ErrorMap): CcxtClient {
    return new CcxtClient({ ...this.parts, errors });
  }

  /** The exchange's assets, shared by all credentials. @throws ExchangeError */
  async assets(): Promise<AssetCatalogue> {
    assertOutsideTransaction(`a call to ${this.exchange}`);
    return this.parts.assets();
  }

  /**
   * One call that moves nothing, parsed by `read`.
   * @throws ExchangeError, also when `read` throws: a response that cannot be read is none. Whatever the database throws
   *   where nonces come from it: that says nothing about the exchange.
   */
  async call<T>(endpoint: Endpoint, params: Record<string, string>, read: (body: unknown) => T): Promise<T> {
    assertOutsideTransaction(`a call to ${this.exchange}`);
    const { exchange, errors, meter, queue } = this.parts;
    return meter.read({ exchange, operation: endpoint.path }, async (begin) => {
      const inTurn = (): Promise<unknown> => {
        begin();
        return this.request(endpoint, params);
      };
      const body = await queue.run(inTurn).catch((error: unknown) => {
        throw error instanceof NonceNotTaken ? error.cause : toExchangeError(exchange, errors, error);
      });
      return readResponse(exchange, endpoint.path, body, read);
    });
  }

  /**
   * One call that moves money: signed by ccxt, sent by us, exactly once, on a connection of its own. The library sees
   * neither the request nor the response, so that none of its layers can repeat or reinterpret it.
   */
  submit<Receipt, Outcome extends { kind: string }>(
    endpoint: Endpoint,
    params: Record<string, string>,
    submission: Submission<Receipt, Outcome>,
    options: Pick<SubmitOptions, 'beforeSend'>,
  ): Promise<Outcome> {
    const { baseUrl: address, instance, nonces } = this.parts;
    const sign = async (): Promise<SignedSubmission> => {
      const exclusive = await nonces?.forSubmission();
      const request = instance.sign(endpoint.path, endpoint.api, endpoint.method, params) as HttpRequest;
      return { request, release: exclusive?.release };
    };
    return submitOnce(this.parts, { operation: endpoint.path, address, sign }, submission, options);
  }

  private async request({ path, api, method }: Endpoint, params: Record<string, string>): Promise<unknown> {
    const { instance, errors, nonces } = this.parts;
    for (let tries = 1; ; tries++) {
      await nonces?.forRead();
      try {
        return await (instance.request(path, api, method, params) as Promise<unknown>);
      } catch (error) {
        if (tries === NONCE_TRIES || !mayGoAgain(errors, error)) throw error;
        // Another call with the same key has overtaken this one: out of step with it, the next nonce is the higher one.
        await this.clock.sleep(tries * NONCE_PAUSE_MS + (process.pid % NONCE_PAUSE_MS));
      }
    }
  }
}
