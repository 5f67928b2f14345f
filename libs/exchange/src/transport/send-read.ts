import type { CallLimit } from './call-limit.js';
import type { CallMeter } from './call-meter.js';
import type { CallQueue } from './call-queue.js';
import type { ErrorMap } from './error-map.js';
import { parseKeepingDigits } from './exact-json.js';
import { errorFromResponse, errorWithoutResponse, readResponse } from './failed-read.js';
import { NoResponse, type HttpRequest, type HttpResponse, type Sender } from './transport.js';

/** The shared parts of all calls of one credential. */
export interface ReadParts {
  readonly exchange: string;
  readonly transport: Sender;
  readonly queue: CallQueue;
  readonly meter: CallMeter;
  readonly errors: ErrorMap;
  /** The limits of calls that responses report. */
  readonly limits: readonly CallLimit[];
  readonly timeoutMs: number;
}

/** A request that moves no money. */
export interface ReadRequest<T> {
  /** The name of the call in metrics and in the limits of the exchange. */
  readonly operation: string;
  readonly request: HttpRequest;
  /** Parses the body, and returns undefined if it is not JSON. Default: `parseKeepingDigits`. */
  readonly parse?: (body: string) => unknown;
  /** @throws when the response is not in the documented format. */
  readonly read: (body: unknown) => T;
}

/**
 * Makes a call that moves no money, and makes it once more when a reused connection ended before the response began:
 * exchanges close idle connections at the moment when we use them. The second call counts in the limits like any other.
 */
export async function repeatedOnce<T>(call: (newConnection: boolean) => Promise<T>): Promise<T> {
  try {
    return await call(false);
  } catch (error) {
    if (!(error instanceof NoResponse && error.endedReused)) throw error;
    return call(true);
  }
}

/**
 * Sends one request that moves no money, within the limits of calls to the exchange, and reads its response. A GET is
 * repeated as `repeatedOnce` describes.
 * @throws ExchangeError, also when `read` throws
 */
export function sendRead<T>(
  parts: ReadParts,
  { operation, request, parse = parseKeepingDigits, read }: ReadRequest<T>,
): Promise<T> {
  const { exchange, transport, queue, meter, errors, limits, timeoutMs } = parts;
  return meter.read({ exchange, operation }, async (begin) => {
    const queued = (newConnection: boolean): Promise<HttpResponse> => {
      const send = (): Promise<HttpResponse> => {
        begin();
        return transport.send(request, { timeoutMs, limits, newConnection });
      };
      return queue.run(send, { endpoint: operation });
    };
    const answered = request.method === 'GET' ? repeatedOnce(queued) : queued(false);
    const response = await answered.catch((error: unknown) => {
      throw errorWithoutResponse(exchange, error);
    });
    queue.heed(response, operation);
    const body = parse(response.body);
    if (response.status !== 200 || errors.errorsIn(body).length > 0)
      throw errorFromResponse(exchange, errors, response);
    meter.warned({ exchange, operation }, errors.warningsIn?.(body));
    return readResponse(exchange, operation, body, read);
  });
}
