import type { operations } from './generated/types.js';

/** The id of an operation in openapi.json, which is the name of its method. */
export type OperationId = keyof operations;

type Part<T> = [NonNullable<T>] extends [never] ? object : NonNullable<T>;
type Json<T> = Part<T> extends { content: { 'application/json': infer Body } } ? Body : object;

/** The members of the path, the query and the body of a request, in one object. */
export type Input<Id extends OperationId> = Part<operations[Id]['parameters']['path']> &
  Part<operations[Id]['parameters']['query']> &
  Json<operations[Id]['requestBody']>;

/** An input of a request about one wallet. Without `walletId`, the wallet of the client's options counts. */
export type WalletInput<Id extends OperationId> = Input<Id> & { walletId?: string };

type Responses<Id extends OperationId> = operations[Id]['responses'];

/** The body of the successful response. */
export type Output<Id extends OperationId> = {
  [Status in keyof Responses<Id>]: Json<Responses<Id>[Status]>;
}[keyof Responses<Id>];

export interface CallOptions {
  /** Ends the call, also between its attempts. The service may have processed the request nevertheless. */
  signal?: AbortSignal;
  /**
   * The key of a POST or PUT; repeats with the same key get the first response. By default the client makes one for
   * each call and uses it for all its attempts. Choose your own to repeat a call after your process has restarted.
   */
  idempotencyKey?: string;
  /** The header `Cache-Control`, for example `only-if-cached`. */
  cacheControl?: string;
}

/**
 * The failed attempts that the client repeats by itself. It always repeats after 429, because nothing was begun then.
 * - `read`: also after every other failure that can pass, because a read changes nothing.
 * - `with_key`: also when the outcome is not known. The same `Idempotency-Key` prevents a second execution.
 * - `refused_only`: after nothing else, because a repeat could execute the request a second time.
 */
export type Repeat = 'read' | 'with_key' | 'refused_only';

/** One operation, as the client sends it. */
export interface Request {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** The path of the operation, with `{name}` in the place of each path parameter. */
  path: string;
  /** The members of the input for the query. Those that `path` names go into the path, and all others into the body. */
  query?: readonly string[];
  /** Whether the request has a body. */
  body?: boolean;
  /** Whether the request names a wallet in a header. */
  wallet?: boolean;
  credentials: 'project' | 'admin' | 'none';
  repeat: Repeat;
}

/** Sends requests; `Transport` does it over HTTP. */
export interface Calls {
  send<Result>(request: Request, input: object, options?: CallOptions): Promise<Result>;
}
