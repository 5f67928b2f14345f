import type { Clock } from '#platform/clock';
import { assertOutsideTransaction } from '#platform/database';
import type { ErrorMap } from '../transport/error-map.js';
import type { SubmitOptions } from '../port/exchange.port.js';
import { readResponse } from '../transport/failed-read.js';
import type { ListReader } from '../transport/list-reader.js';
import { submitOnce, type SignedSubmission, type SubmissionParts } from '../submission/submission.js';
import type { Submission } from '../submission/submit-evidence.js';
import type { HttpRequest } from '../transport/transport.js';
import type { AssetCatalogue } from './asset-catalogue.js';
import type { CcxtInstance } from './ccxt-class.js';
import { mayRetry, toExchangeError } from './ccxt-error.js';
import { NonceNotTaken, type CredentialNonces } from './signing-nonces.js';

/** Most attempts of a read whose nonce another call has overtaken. The exchange checked only its nonce. */
const NONCE_TRIES = 6;
const NONCE_PAUSE_MS = 5;

/** An endpoint of the exchange, in ccxt's notation. */
export interface Endpoint {
  readonly api: string | readonly string[];
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
}

/** The parts of a client. All but the instance and the queue are shared with other clients. */
export interface ClientParts extends SubmissionParts {
  readonly baseUrl: string;
  readonly instance: CcxtInstance;
  /** null = the exchange uses no nonces. */
  readonly nonces: CredentialNonces | null;
  readonly assets: () => Promise<AssetCatalogue>;
  readonly lists: ListReader;
  readonly clock: Clock;
  readonly metadataTtlMs: number;
}

/** Sends the calls of one credential, in order, through one ccxt instance that never gets another credential. */
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

  /** Reads lists entry by entry. */
  get lists(): ListReader {
    return this.parts.lists;
  }

  /** The same client with another error map. */
  withErrors(errors: ErrorMap): CcxtClient {
    return new CcxtClient({ ...this.parts, errors });
  }

  /** The exchange's assets, shared by all credentials. @throws ExchangeError */
  async assets(): Promise<AssetCatalogue> {
    assertOutsideTransaction(`a call to ${this.exchange}`);
    return this.parts.assets();
  }

  /**
   * Sends one call that moves nothing, and parses the response by `read`.
   * @throws ExchangeError, also when `read` throws. Database errors of the nonces pass unchanged, because they prove
   *   nothing about the exchange.
   */
  async call<T>(endpoint: Endpoint, params: Record<string, string>, read: (body: unknown) => T): Promise<T> {
    assertOutsideTransaction(`a call to ${this.exchange}`);
    const { exchange, errors, meter, queue } = this.parts;
    return meter.read({ exchange, operation: endpoint.path }, async (begin) => {
      const queued = (): Promise<unknown> => {
        begin();
        return this.request(endpoint, params);
      };
      const body = await queue.run(queued).catch((error: unknown) => {
        throw error instanceof NonceNotTaken ? error.cause : toExchangeError(exchange, errors, error);
      });
      return readResponse(exchange, endpoint.path, body, read);
    });
  }

  /**
   * Sends one call that moves money exactly once, on a connection of its own. ccxt only signs it: the library sees
   * neither the sending nor the response, so that it cannot repeat or reinterpret them.
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
        if (tries === NONCE_TRIES || !mayRetry(errors, error)) throw error;
        // Another call with the same key has overtaken this one. Processes wait for different times, so that the next
        // nonce is the highest.
        await this.clock.sleep(tries * NONCE_PAUSE_MS + (process.pid % NONCE_PAUSE_MS));
      }
    }
  }
}
