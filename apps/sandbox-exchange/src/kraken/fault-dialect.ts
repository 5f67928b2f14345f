import { isHistory, withListsChanged, type Dialect, type Reply } from '../faults/dialect.js';
import type { Answer } from './dispatch.js';

export const answer = (body: Answer): Reply => ({ status: 200, body });
const refusal = (error: string) => (): Reply => answer({ error: [error] });
const refusalOr = (otherwise: string) => (error: string | undefined) => answer({ error: [error ?? otherwise] });

/** Every error of Kraken's is an HTTP 200 with the list `error`. */
export const krakenDialect: Dialect = {
  refusals: {
    rate_limit: refusal('EAPI:Rate limit exceeded'),
    definite_refusal: refusalOr('EFunding:Insufficient funds'),
    history_errors: refusalOr('EGeneral:Internal error'),
    wrong_nonce: refusal('EAPI:Invalid nonce'),
    revoked_key: refusal('EAPI:Invalid key'),
    ip_refused: refusal('EGeneral:Permission denied'),
    service_unavailable: refusal('EService:Unavailable'),
  },
  emptied: () => ({ error: [], result: null }),
  history: {
    // The result of WithdrawStatus and DepositStatus is a plain list or a page.
    mapped: (body, change) => {
      const { error, result } = body as Answer;
      if (isHistory(result)) return { error, result: change(result) };
      if (typeof result !== 'object' || result === null) return body;
      return { error, result: withListsChanged(result, change) };
    },
    timeOf: (record) => (record as typeof record & { time: number }).time * 1000,
  },
  tickers: {
    endpoint: 'Ticker',
    priceFields: ['a', 'b', 'c', 'p', 'l', 'h', 'o'],
    mapped: (body, change) => {
      const { error, result } = body as Answer;
      if (result === undefined) return body;
      const tickers = Object.entries(result as Record<string, object>);
      return { error, result: Object.fromEntries(tickers.map(([id, ticker], index) => [id, change(ticker, index)])) };
    },
  },
  errorIn: (body) => (body as Answer).error[0] ?? null,
};
