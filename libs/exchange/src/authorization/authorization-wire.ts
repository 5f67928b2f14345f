import type { CallBudget } from '../transport/call-budget.js';
import type { CallLimit } from '../transport/call-limit.js';
import type { CallMeter } from '../transport/call-meter.js';
import { NO_CODES } from '../transport/error-map.js';
import { errorFromResponse, errorWithoutResponse } from '../transport/failed-read.js';
import { repeatedOnce } from '../transport/send-read.js';
import type { HttpResponse, HttpRequest, SendOnceOptions, Transport } from '../transport/transport.js';

export interface WireParts {
  readonly transport: Transport;
  readonly meter: CallMeter;
  /** The limit of calls, which all authorizations at one exchange share. */
  readonly budget: CallBudget;
  /** The limits of calls that the exchange's responses report. */
  readonly limits: readonly CallLimit[];
  readonly timeoutMs: number;
}

/** Options of a request that must not be sent twice. */
export type OnceOptions = Pick<SendOnceOptions, 'beforeWrite'>;

/**
 * Sends one request and returns its response, within the limits of calls to the exchange.
 * @throws ExchangeError `rate_limited` when our own limit of calls stops the request, and for status 429; `unavailable`
 *   without a response, and for the statuses 5xx. Unless our own limit stopped it, the exchange may have executed the
 *   request.
 */
export function sendAuthorization(
  { exchange, operation }: { exchange: string; operation: string },
  request: HttpRequest,
  { transport, meter, budget, limits, timeoutMs }: WireParts,
  once?: OnceOptions,
): Promise<HttpResponse> {
  // Each request has its own queue: people who authorize at the same time do not wait for each other, but share the
  // process's limit of calls.
  const queue = budget.createQueue('authorization');
  return meter.read({ exchange, operation }, async (begin) => {
    const queued = (newConnection: boolean): Promise<HttpResponse> => {
      const send = (): Promise<HttpResponse> => {
        begin();
        if (once === undefined) return transport.send(request, { timeoutMs, limits, newConnection });
        return transport.sendOnce(request.url, () => Promise.resolve(request), { timeoutMs, limits, ...once });
      };
      return queue.run(send, { endpoint: operation });
    };
    // A code or a token that is sent twice may end the grant (RFC 6749, 4.1.2), so only reads are repeated.
    const answered = request.method === 'GET' ? repeatedOnce(queued) : queued(false);
    const response = await answered.catch((error: unknown) => {
      throw errorWithoutResponse(exchange, error);
    });
    // All authorizations use one client, so a pause concerns the same request of every person.
    queue.heed(response, operation, 'address_endpoint');
    if (response.status === 429 || response.status >= 500) {
      throw errorFromResponse(exchange, NO_CODES, response);
    }
    return response;
  });
}
