import { IsOptional, IsString, MaxLength } from 'class-validator';
import { exampleExchange, tickerExchanges } from '#exchange';
import { Amount } from '#money';
import { ApiField, ApiOptionalField } from '#platform/http';
import type { TickerSnapshot } from './ticker-snapshot.js';

const COINS_LENGTH_MAX = 2_000;

export class TickersQuery {
  @ApiOptionalField(
    'Asset symbols, separated by commas, in any case. Limits `prices` to these assets. Unknown symbols are ignored.',
    { example: 'BTC,ETH', maxLength: COINS_LENGTH_MAX },
  )
  @IsOptional()
  @MaxLength(COINS_LENGTH_MAX)
  @IsString()
  coins?: string;
}

export class TickersResponse {
  @ApiField('Always true.', { enum: [true], type: 'boolean', example: true })
  success: true;

  @ApiField('Exchange identifier.', { enum: tickerExchanges, example: exampleExchange.id })
  exchange: string;

  @ApiField('Currency of the prices.', { enum: ['USD'], example: 'USD' })
  currency: 'USD';

  @ApiField('When the exchange returned these prices (ISO 8601, UTC).', {
    type: 'string',
    format: 'date-time',
    example: '2026-01-01T12:00:00.000Z',
  })
  updatedAt: string;

  @ApiField(
    'Last price of one unit of each asset in US dollars, by asset symbol. Only pairs that the exchange quotes in US dollars count: an asset without such a pair is left out. Prices in USDT and other stablecoins are not converted.',
    { type: 'object', additionalProperties: { type: 'number', minimum: 0 }, example: { BTC: 64000.1, ETH: 3100.25 } },
  )
  prices: Record<string, number>;
}

export function toTickersResponse(
  { exchange, prices, fetchedAt }: TickerSnapshot,
  symbols: Iterable<string> = prices.keys(),
): TickersResponse {
  return {
    success: true,
    exchange,
    currency: 'USD',
    updatedAt: fetchedAt.toISOString(),
    prices: Object.fromEntries([...symbols].map((symbol) => [symbol, priceOf(prices, symbol)])),
  };
}

function priceOf(prices: ReadonlyMap<string, string>, symbol: string): number {
  return Amount.of(prices.get(symbol) ?? '0').toJsonNumber();
}
