import type { CallBudget } from '../transport/call-budget.js';
import type { CallMeter } from '../transport/call-meter.js';
import type { ErrorDialect } from '../transport/error-map.js';
import { withAnswer, withoutAnswer } from '../transport/failed-read.js';
import type { HttpAnswer, HttpRequest, SendOnceOptions, Transport } from '../transport/transport.js';

export interface WireParts {
  readonly transport: Transport;
  readonly meter: CallMeter;
  /** Of all authorizations at one exchange. */
  readonly budget: CallBudget;
  readonly timeoutMs: number;
}

/** Of a request with which something is used up. */
export type OnceOptions = Pick<SendOnceOptions, 'beforeWrite'>;

/** A status alone tells whether there is an answer; what it says is the caller's. */
const NO_CODES: ErrorDialect = { codesIn: () => [], refusesWith: () => false, meanings: {} };

/**
 * One request, one answer, within the limits of every call to an exchange.
 * @throws ExchangeError `unavailable` or `rate_limited` without an answer, and for 429 and 5xx, which say nothing.
 */
export function sendAuthorization(
  exchange: string,
  operation: string,
  request: HttpRequest,
  { transport, meter, budget, timeoutMs }: WireParts,
  once?: OnceOptions,
): Promise<HttpAnswer> {
  // A queue of its own: the people at one exchange do not wait for each other, and share what it takes from us in all.
  const queue = budget.createQueue();
  return meter.read({ exchange, operation }, async (begin) => {
    const inTurn = (): Promise<HttpAnswer> => {
      begin();
      if (once === undefined) return transport.send(request, { timeoutMs });
      return transport.sendOnce(request.url, () => Promise.resolve(request), { timeoutMs, ...once });
    };
    const answer = await queue.run(inTurn).catch((error: unknown) => {
      throw withoutAnswer(exchange, error);
    });
    if (answer.status === 429 || answer.status >= 500) {
      throw withAnswer(exchange, NO_CODES, answer, { kind: 'unavailable' });
    }
    return answer;
  });
}
