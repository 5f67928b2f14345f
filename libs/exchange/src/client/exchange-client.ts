import type { Amount } from '#money';
import type { Clock } from '#platform/clock';
import { assertOutsideTransaction } from '#platform/database';
import type { CodeOf } from '../declaration/asset-names.js';
import type { ErrorMap } from '../transport/error-map.js';
import type { SubmitOptions } from '../port/exchange.port.js';
import type { WithdrawalFacts } from '../port/exchange-spec.js';
import { parseKeepingDigits } from '../transport/exact-json.js';
import { readResponse } from '../transport/failed-read.js';
import type { ListReader } from '../transport/list-reader.js';
import { repeatedOnce } from '../transport/send-read.js';
import { submitOnce, type SignedSubmission, type SubmissionParts } from '../submission/submission.js';
import type { Submission } from '../submission/submit-evidence.js';
import type { HttpRequest } from '../transport/transport.js';
import type { AssetCatalogue } from './asset-catalogue.js';
import type { FeeEstimates } from './fee-estimates.js';
import { NonceNotTaken, type CredentialNonces } from './credential-nonces.js';
import { mayRetry, toExchangeError, Unsuccessful } from './failed-call.js';
import { queryOf, unsignedCall, type Signer } from './signature.js';
import type { SigningKeys } from './signing-keys.js';
import { typedParams, type SentAs } from './typed-params.js';

/** Maximum number of attempts of a read that the exchange refuses because another call has used a higher nonce. */
const NONCE_TRIES = 6;
const NONCE_PAUSE_MS = 5;

/** The statuses with which exchanges document successful reads. A new deposit address comes with 201. */
const SUCCESSES: ReadonlySet<number> = new Set([200, 201]);

/** An endpoint of the exchange. */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** The path at the exchange's host, which begins with a slash. `{name}` stands for the parameter of that name. */
  readonly path: string;
  /** Whether everyone may make the call, so that it is not signed. */
  readonly isPublic?: true;
  /**
   * How to send the parameters that are not sent as plain text: as an integer, a boolean or an object of a JSON body,
   * or as a header of the request. In `params` of a call, every parameter is a text.
   */
  readonly sentAs?: SentAs;
  /** For how many calls this call counts in the exchange's limit; absent = one. */
  readonly cost?: number;
  /** Whether the call creates something at the exchange, such as an address, so that it is never sent twice. */
  readonly creates?: true;
}

/**
 * A limit that an exchange sets for submissions in a period of seconds. All processes keep it before they send
 * anything, because the exchange's refusal of a submission would leave its outcome unknown.
 */
export interface Spacing {
  /** The exchange's id of the account; null = it reports none, and the API key counts. */
  readonly account: string | null;
  /** What the exchange counts together besides the account, such as the coin and the chain. */
  readonly counted: readonly string[];
  /** The time from one submission to the next one. */
  readonly periodMs: number;
}

/** What one credential needs for calls that are not public. */
export interface Signing {
  readonly sign: Signer;
  readonly keys: SigningKeys;
  /** null = the exchange uses no nonces. */
  readonly nonces: CredentialNonces | null;
  /** Takes the right to send the only submission of its period. @throws OverBudget while there is another one */
  readonly takeSpace: (spacing: Spacing) => Promise<void>;
}

/** The parts of a client. The queue and what is in `signing` belong to one credential. */
export interface ClientParts extends SubmissionParts {
  /** From the exchange's spec; undefined = the connector makes no withdrawals. */
  readonly withdrawals: WithdrawalFacts | undefined;
  readonly feeEstimates: FeeEstimates;
  readonly baseUrl: string;
  /** null = the client makes only public calls. */
  readonly signing: Signing | null;
  readonly assets: () => Promise<AssetCatalogue>;
  /** Our codes of assets; null = only the exchange's list of assets states them. */
  readonly codeOf: CodeOf | null;
  readonly lists: ListReader;
  readonly clock: Clock;
}

/** Sends the calls of one credential. */
export class ExchangeClient {
  constructor(private readonly parts: ClientParts) {}

  get exchange(): string {
    return this.parts.exchange;
  }

  /** The address of the exchange's site that has the account. */
  get baseUrl(): string {
    return this.parts.baseUrl;
  }

  get clock(): Clock {
    return this.parts.clock;
  }

  /** Reads lists entry by entry. */
  get lists(): ListReader {
    return this.parts.lists;
  }

  /** The facts about withdrawals, from the exchange's spec. @throws when the spec has none */
  get withdrawals(): WithdrawalFacts {
    if (this.parts.withdrawals === undefined) throw new Error(`${this.exchange}: the spec states no withdrawals`);
    return this.parts.withdrawals;
  }

  /** The operator's estimate of the fee of a withdrawal; null = there is none. */
  feeEstimate(asset: string, networkId: string): Amount | null {
    return this.parts.feeEstimates.get(`${asset}:${networkId}`) ?? null;
  }

  /** Our codes for the exchange's ids of assets, from its list where only that states them. @throws ExchangeError */
  async codes(): Promise<CodeOf> {
    const { codeOf } = this.parts;
    if (codeOf !== null) return codeOf;
    const assets = await this.assets();
    return (assetId) => assets.codeOf(assetId);
  }

  /** The same client with another error map. */
  withErrors(errors: ErrorMap): ExchangeClient {
    return new ExchangeClient({ ...this.parts, errors });
  }

  /** The exchange's assets, shared by all credentials. @throws ExchangeError */
  async assets(): Promise<AssetCatalogue> {
    assertOutsideTransaction(`a call to ${this.exchange}`);
    return this.parts.assets();
  }

  /**
   * Sends one call that moves no money, and parses the response by `read`.
   * @throws ExchangeError, also when `read` throws. Database errors of the nonces pass unchanged, because they prove
   *   nothing about the exchange.
   */
  async call<T>(
    endpoint: Endpoint,
    params: Record<string, string>,
    read: (body: unknown, codeOf: CodeOf) => T,
  ): Promise<T> {
    assertOutsideTransaction(`a call to ${this.exchange}`);
    const { exchange, errors, meter, queue } = this.parts;
    const codeOf = await this.codes();
    const operation = nameOf(endpoint);
    return meter.read({ exchange, operation }, async (begin) => {
      const use = { endpoint: operation, cost: endpoint.cost };
      const queued = (newConnection: boolean): Promise<unknown> =>
        queue.run(() => {
          begin();
          return this.answerTo(endpoint, params, newConnection);
        }, use);
      const answered = endpoint.creates === true ? queued(false) : repeatedOnce(queued);
      const body = await answered.catch((error: unknown) => {
        throw error instanceof NonceNotTaken ? error.cause : toExchangeError(exchange, errors, error);
      });
      meter.warned({ exchange, operation }, errors.warningsIn?.(body));
      return readResponse(exchange, operation, body, (response) => read(response, codeOf));
    });
  }

  /** Sends one call that moves money, at most once, on a connection of its own. */
  submit<Receipt, Outcome extends { kind: string }>(
    endpoint: Endpoint,
    params: Record<string, string>,
    submission: Submission<Receipt, Outcome>,
    { spacing, ...options }: Pick<SubmitOptions, 'beforeSend'> & { readonly spacing?: Spacing | undefined },
  ): Promise<Outcome> {
    const { baseUrl: address, signing } = this.parts;
    const sign = async (): Promise<SignedSubmission> => {
      // The connection is open, so the request reaches the exchange soon after its period has begun.
      if (spacing !== undefined) await signing?.takeSpace(spacing);
      const exclusive = await signing?.nonces?.forSubmission();
      return { request: this.requestOf(endpoint, params, exclusive?.nonce), release: exclusive?.release };
    };
    const call = { operation: nameOf(endpoint), address, sign, cost: endpoint.cost };
    return submitOnce(this.parts, call, submission, options);
  }

  /** Sends a read, again with a new nonce when the exchange has already received a higher one, and parses its body. */
  private async answerTo(endpoint: Endpoint, texts: Record<string, string>, newConnection: boolean): Promise<unknown> {
    const { errors, signing } = this.parts;
    for (let tries = 1; ; tries++) {
      const nonce = endpoint.isPublic === true ? undefined : await signing?.nonces?.forRead();
      try {
        return await this.send(endpoint, this.requestOf(endpoint, texts, nonce), newConnection);
      } catch (error) {
        if (tries === NONCE_TRIES || !mayRetry(errors, error)) throw error;
        // The pause depends on the process, so that two processes are less likely to overtake each other again.
        await this.clock.sleep(tries * NONCE_PAUSE_MS + (process.pid % NONCE_PAUSE_MS));
      }
    }
  }

  private async send(endpoint: Endpoint, request: HttpRequest, newConnection: boolean): Promise<unknown> {
    const { errors, limits, queue, timeoutMs, transport } = this.parts;
    const response = await transport.send(request, { timeoutMs, limits, newConnection });
    queue.heed(response, nameOf(endpoint));
    const body = parseKeepingDigits(response.body);
    // A response with another status may come from a proxy.
    if (!SUCCESSES.has(response.status) || errors.errorsIn(body).length > 0) throw new Unsuccessful(response);
    return body ?? response.body;
  }

  /** @param nonce absent = the exchange uses no nonces; the time is signed instead */
  private requestOf(endpoint: Endpoint, texts: Record<string, string>, nonce?: number): HttpRequest {
    const { baseUrl, signing } = this.parts;
    const { params, headers } = typedParams(endpoint, texts);
    const call = unsignedCall(endpoint, params, baseUrl);
    if (endpoint.isPublic === true) {
      const query = queryOf(call.params);
      return { method: call.method, url: `${baseUrl}${call.path}${query && `?${query}`}`, headers };
    }
    if (signing === null) throw new Error(`${endpoint.path}: the call needs credentials`);
    const signed = signing.sign({ ...call, nonce: nonce ?? this.clock.now().getTime() }, signing.keys);
    return { ...signed, headers: { ...signed.headers, ...headers } };
  }
}

/**
 * The name of an endpoint in metrics and in the limits of calls. It contains the method, because a path can have two
 * methods.
 */
function nameOf({ method, path }: Endpoint): string {
  return `${method} ${path}`;
}
