import type { CallBudget } from '../transport/call-budget.js';
import type { CallMeter } from '../transport/call-meter.js';
import type { ErrorMap } from '../transport/error-map.js';
import { errorFromResponse, errorWithoutResponse } from '../transport/failed-read.js';
import type { HttpResponse, HttpRequest, SendOnceOptions, Transport } from '../transport/transport.js';

export interface WireParts {
  readonly transport: Transport;
  readonly meter: CallMeter;
  /** Of all authorizations at one exchange. */
  readonly budget: CallBudget;
  readonly timeoutMs: number;
}

/** Of a request with which something is used up. */
export type OnceOptions = Pick<SendOnceOptions, 'beforeWrite'>;

/** A status alone tells whether there is a response; what it says is the caller's. */
const NO_CODES: ErrorMap = { codesIn: () => [], refusesWith: () => false, meanings: {} };

/**
 * One request, one response, within the limits of every call to an exchange.
 * @throws ExchangeError `unavailable` or `rate_limited` without a response, and for 429 and 5xx, which say nothing.
 */
export function sendAuthorization(
  exchange: string,
  operation: string,
  request: HttpRequest,
  { transport, meter, budget, timeoutMs }: WireParts,
  once?: OnceOptions,
): Promise<HttpResponse> {
  // A queue of its own: the people at one exchange do not wait for each other, and share what it takes from us in all.
  const queue = budget.createQueue();
  return meter.read({ exchange, operation }, async (begin) => {
    const inTurn = (): Promise<HttpResponse> => {
      begin();
      if (once === undefined) return transport.send(request, { timeoutMs });
      return transport.sendOnce(request.url, () => Promise.resolve(request), { timeoutMs, ...once });
    };
    const response = await queue.run(inTurn).catch((error: unknown) => {
      throw errorWithoutResponse(exchange, error);
    });
    if (response.status === 429 || response.status >= 500) {
      throw errorFromResponse(exchange, NO_CODES, response, { kind: 'unavailable' });
    }
    return response;
  });
}
