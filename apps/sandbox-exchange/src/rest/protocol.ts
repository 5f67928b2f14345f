import type { Exchange } from '../exchange.js';
import type { Reply } from '../faults/protocol.js';
import type { Call } from '../kraken/handler.js';
import type { ApiKey, Permission } from '../ledger/records.js';
import type { RestRequest } from './authenticate.js';
import type { Reason, Refusal } from './refusal.js';

/** The kind of records in the responses of an endpoint. Some faults change these records. */
type Shown = 'transfers' | 'orders' | 'addresses';

/**
 * Returns the content of the response. `call.params` has the exchange's names of parameters.
 * @throws Refusal, KrakenError, Overdrawn
 */
type Handler = (call: Call) => unknown;

export interface RestEndpoint {
  readonly method: 'GET' | 'POST';
  /** A part such as `:id` is a parameter. */
  readonly path: string;
  /** The key needs this permission. */
  readonly needs: Permission;
  readonly handler: Handler;
  readonly shows?: Shown | undefined;
  /** The HTTP status of a success; absent = 200. */
  readonly status?: number;
}

/** Returns functions that declare endpoints below `base`: one for each HTTP method and permission. */
export function endpointsUnder(base: string) {
  const of =
    (method: RestEndpoint['method'], needs: Permission) =>
    (path: string, handler: Handler, shows?: Shown): RestEndpoint => ({
      method,
      path: `${base}/${path}`,
      needs,
      handler,
      shows,
    });
  return {
    get: of('GET', 'query-funds'),
    /** A call by POST that only reads. */
    read: of('POST', 'query-funds'),
    withdraw: of('POST', 'withdraw-funds'),
    trade: of('POST', 'modify-trades'),
  };
}

/**
 * The code of an error. A number replaces `errorStatus` as HTTP status, and a text replaces the message of the refusal.
 */
type ErrorCode = readonly [code: string, statusOrMessage?: number | string];

/** The codes of errors by reason. A reason without a code gets the code of an invalid parameter. */
export type ErrorCodes = Readonly<Partial<Record<Reason, ErrorCode>> & Record<'parameter_invalid', ErrorCode>>;

interface RefusedCall {
  readonly endpoint: string;
  readonly params: Readonly<Record<string, string>>;
}

/** A list that needs no key. */
interface PublicList {
  readonly path: string;
  /** Returns the content of the response. */
  readonly content: (exchange: Exchange) => unknown;
  /** The content of a list without entries, which a fault returns; absent = an empty array. */
  readonly empty?: unknown;
}

/** A protocol with signed requests and JSON responses, over the accounts and API keys of Kraken's protocol. */
export interface RestProtocol {
  readonly id: string;
  /** The endpoints by name. `/control/faults` and `/control/requests` name an endpoint `<id>.<name>`. */
  readonly endpoints: Readonly<Record<string, RestEndpoint>>;
  /** The public lists, named like the endpoints. */
  readonly lists?: Readonly<Record<string, PublicList>>;
  readonly keyHeader: string;
  /** For each parameter that a POST sends as a header, the name of the header. */
  readonly headerParams?: Readonly<Record<string, string>>;
  /** The format of the body of a POST. */
  readonly bodies: 'json' | 'form';
  /** Reads the parameters of requests that carry them in a header instead of the body. @throws Refusal */
  readonly otherParams?: (request: RestRequest) => Record<string, string>;
  /** @throws Refusal */
  readonly authenticate: (exchange: Exchange, request: RestRequest, now: Date) => ApiKey;
  readonly errors: ErrorCodes;
  readonly errorStatus: number;
  readonly limitHeaders?: Readonly<Record<string, string>>;
  /** The body of a success. */
  readonly success: (content: unknown) => unknown;
  /** The content of a successful response from which a fault has removed everything. */
  readonly nothing: unknown;
  /** The body of an error; `call` is absent for an error that a fault makes. */
  readonly failure: (code: string, message: string, call?: RefusedCall) => unknown;
  /** The code of the error in a body; null when there is none. */
  readonly errorIn: (body: unknown) => string | null;
  /** Returns the result in a response body: the body without the fields that every response has. */
  readonly contentOf: (body: unknown) => unknown;
  /** Names of the record fields that faults read or change. */
  readonly fields: {
    readonly amount: string;
    readonly fee: string;
    readonly address: string;
    readonly tags: readonly string[];
    /** Name of the field with the time at which an order was opened, in epoch milliseconds. */
    readonly openedAt: string;
    /** The time of a deposit or withdrawal, in epoch milliseconds. */
    readonly timeOf: (record: Readonly<Record<string, unknown>>) => number;
  };
  /** The content of the response about an unknown order; when absent, the response is an error. */
  readonly noOrder?: unknown;
}

export function refusalReply(rest: RestProtocol, { reason, message }: Refusal, call?: RefusedCall): Reply {
  if (reason === 'order_unknown' && rest.noOrder !== undefined)
    return { status: 200, body: rest.success(rest.noOrder) };
  const [code, special] = rest.errors[reason] ?? rest.errors.parameter_invalid;
  const status = typeof special === 'number' ? special : rest.errorStatus;
  const text = typeof special === 'string' ? special : message;
  const headers = reason === 'rate_limited' ? rest.limitHeaders : undefined;
  return { status, body: rest.failure(code, text, call), ...(headers !== undefined && { headers }) };
}
