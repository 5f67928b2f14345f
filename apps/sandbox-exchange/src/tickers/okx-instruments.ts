import { Amount } from '#money';
import type { Exchange } from '../exchange.js';
import type { Protocol } from '../faults/protocol.js';
import { statusOf } from '../kraken/trading/order-book.js';
import { marketsOf, type ListedMarket } from './listed-markets.js';
import type { TickerExchange } from './ticker-exchange.js';

const markets = marketsOf({ quotes: 'USD USDT USDC EUR BTC ETH', without: 'XMR DASH ZEC KSM' });
const idOf = ({ base, quote }: ListedMarket): string => `${base}-${quote}`;
const byId = new Map(markets.map((market) => [idOf(market), market]));

/** Finds a market by its id, such as BTC-USD. */
export function findOkxMarket(instId: string | undefined): ListedMarket | null {
  return byId.get(instId ?? '') ?? null;
}

/**
 * Source: https://www.okx.com/docs-v5/en/#public-data-rest-api-get-instruments. `state` is one word for the whole pair,
 * so a pair that accepts only some orders shows as suspended. There is no minimum cost.
 */
function instrument(exchange: Exchange, market: ListedMarket): object {
  const { base, quote, pair } = market;
  return {
    ...{ instType: 'SPOT', instId: idOf(market), baseCcy: base, quoteCcy: quote, lever: '' },
    ...{ tickSz: pair.info.tick_size, lotSz: Amount.of(`1e-${pair.info.lot_decimals}`).toString() },
    ...{ minSz: pair.info.ordermin, state: statusOf(exchange, pair) === 'online' ? 'live' : 'suspend' },
  };
}

const bodyOf = (code: string, data: object[]) => ({ code, msg: '', data });

const protocol: Protocol = {
  refusals: {
    // https://www.okx.com/docs-v5/en/#error-code-rest-api
    rate_limit: () => ({ status: 429, body: bodyOf('50011', []) }),
    service_unavailable: () => ({ status: 503, body: bodyOf('50001', []) }),
  },
  emptied: () => bodyOf('0', []),
  errorIn: (body) => {
    const { code } = body as { code: string };
    return code === '0' ? null : code;
  },
};

export const okxInstruments: TickerExchange = {
  endpoint: 'okx.instruments',
  paths: ['/api/v5/public/instruments'],
  respond: ({ exchange }) => ({
    status: 200,
    body: bodyOf(
      '0',
      markets.map((one) => instrument(exchange, one)),
    ),
  }),
  protocol,
};
