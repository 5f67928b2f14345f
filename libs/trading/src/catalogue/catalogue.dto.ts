import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsString, MaxLength } from 'class-validator';
import { exampleExchange } from '#exchange';
import { SCHEMA_VERSION } from './catalogue.js';

const CODES_LENGTH_MAX = 2_000;
const DECIMAL = { type: 'string', pattern: '^[0-9]+(\\.[0-9]+)?$' } as const;
const RATE = { type: 'string', pattern: '^-?[0-9]+(\\.[0-9]+)?$' } as const;

/** Comma-separated asset codes. */
function CodesQuery(description: string, example: string): PropertyDecorator {
  return (target, key) => {
    const options = { description, example, maxLength: CODES_LENGTH_MAX };
    for (const decorate of [ApiPropertyOptional(options), IsOptional(), MaxLength(CODES_LENGTH_MAX), IsString()]) {
      decorate(target, key);
    }
  };
}

export class TradableAssetsQuery {
  @ApiPropertyOptional({
    description: 'Exchange identifier. With the wallet header it is ignored, and the exchange of the wallet counts.',
    example: exampleExchange.id,
    maxLength: 60,
  })
  @IsOptional()
  @MaxLength(60)
  @IsString()
  exchange?: string;

  @CodesQuery(
    'Only routes from these assets (`baseAsset`), separated by commas; case does not matter, unknown ones are ignored. Empty = from any.',
    'BTC,ETH',
  )
  source?: string;

  @CodesQuery('The same as `source`; with both, routes from the assets of either.', 'BTC')
  sources?: string;

  @CodesQuery(
    'Only routes to these assets (`quoteAsset`), separated by commas; case does not matter, unknown ones are ignored. Empty = to any.',
    'USD',
  )
  destination?: string;

  @CodesQuery('The same as `destination`; with both, routes to the assets of either.', 'USD,EUR')
  destinations?: string;
}

class CatalogueSource {
  @ApiProperty({
    description: 'The call of the exchange that returned the list of pairs, without its host.',
    example: '/0/public/AssetPairs',
  })
  api: string;

  @ApiProperty({
    description: 'When the exchange last returned it (ISO 8601, UTC).',
    type: 'string',
    format: 'date-time',
    example: '2026-01-01T12:10:00.000Z',
  })
  fetchedAt: string;
}

class TradableAsset {
  @ApiProperty({ description: 'Id of the asset: its code, the same as in balances.', example: 'BTC' })
  assetId: string;

  @ApiProperty({ description: 'Code of the asset.', example: 'BTC' })
  symbol: string;

  @ApiProperty({ description: 'The exchange’s own ids of it, in alphabetical order.', example: ['XXBT'] })
  exchangeSymbols: string[];
}

class RouteMargin {
  @ApiProperty({ description: 'Whether the exchange offers margin on it; orders placed here never use it.' })
  isMarginEnabled: boolean;
}

class PriceRules {
  @ApiProperty({
    description: 'A price is a multiple of it, in the quote asset. Need not be a power of ten.',
    ...DECIMAL,
    example: '0.1',
  })
  tickSize: string;

  @ApiProperty({
    description: 'Maximum number of digits after the point of a price.',
    type: 'integer',
    minimum: 0,
    example: 1,
  })
  priceDecimals: number;
}

class QuantityRules {
  @ApiProperty({ description: 'Minimum volume of an order, in the base asset.', ...DECIMAL, example: '0.00005' })
  minBaseQty: string;

  @ApiProperty({ description: 'A volume is a multiple of it, in the base asset.', ...DECIMAL, example: '0.00000001' })
  stepSize: string;

  @ApiProperty({
    description: 'Maximum number of digits after the point of a volume.',
    type: 'integer',
    minimum: 0,
    example: 8,
  })
  quantityDecimals: number;
}

class CostRules {
  @ApiProperty({
    description: 'Least volume × price of an order, in the quote asset; null = none.',
    ...DECIMAL,
    nullable: true,
    example: '0.5',
  })
  minCost: string | null;
}

class TradingRules {
  @ApiProperty({ description: 'Rules for the price of a limit order.', type: PriceRules })
  price: PriceRules;

  @ApiProperty({ description: 'Rules for the volume of an order.', type: QuantityRules })
  quantity: QuantityRules;

  @ApiProperty({ description: 'Rules for volume and price together.', type: CostRules })
  cost: CostRules;
}

class FeeTier {
  @ApiProperty({
    description: 'The least volume of the account’s last 30 days to which the fees apply, in US dollars.',
    ...DECIMAL,
    example: '50000',
  })
  volume: string;

  @ApiProperty({
    description: 'Fee of an order that waits in the book, in percent of its cost; negative = the exchange pays.',
    ...RATE,
    example: '0.14',
  })
  maker: string;

  @ApiProperty({
    description: 'Fee of an order that trades at once, in percent of its cost.',
    ...RATE,
    example: '0.24',
  })
  taker: string;
}

class RouteFees {
  @ApiProperty({ description: 'How the exchange charges.', enum: ['maker_taker'], example: 'maker_taker' })
  model: 'maker_taker';

  @ApiProperty({
    description: 'By volume, ascending. Empty where the exchange does not publish them with its pairs.',
    type: [FeeTier],
  })
  tiers: FeeTier[];
}

class TradableRoute {
  @ApiProperty({
    description: 'Id of the route, for Place order: `<exchange>:<marketType>:<baseAsset>-<quoteAsset>`.',
    example: `${exampleExchange.id}:spot:BTC-USD`,
  })
  routeId: string;

  @ApiProperty({ description: 'Exchange identifier.', example: exampleExchange.id })
  exchange: string;

  @ApiProperty({ description: 'Kind of market.', enum: ['spot'], example: 'spot' })
  marketType: 'spot';

  @ApiProperty({ description: 'Code of the asset whose volume an order names.', example: 'BTC' })
  baseAsset: string;

  @ApiProperty({ description: 'Code of the asset in which its price is.', example: 'USD' })
  quoteAsset: string;

  @ApiProperty({ description: '`<baseAsset>/<quoteAsset>`.', example: 'BTC/USD' })
  displaySymbol: string;

  @ApiProperty({ description: 'The exchange’s own name of the pair, as its orders have it.', example: 'XBTUSD' })
  exchangeSymbol: string;

  @ApiProperty({ description: 'The exchange’s own status of the pair, in lower case.', example: 'online' })
  status: string;

  @ApiProperty({ description: 'Whether the exchange takes plain orders on it, as of its last list of pairs.' })
  isTradingEnabled: boolean;

  @ApiProperty({ description: 'Margin trading on the route.', type: RouteMargin })
  margin: RouteMargin;

  @ApiProperty({
    description: 'Types of orders that it takes; empty while trading is not enabled.',
    enum: ['market', 'limit'],
    isArray: true,
    example: ['market', 'limit'],
  })
  orderTypes: ('market' | 'limit')[];

  @ApiProperty({ description: 'The rules for orders. Nothing is rounded.', type: TradingRules })
  tradingRules: TradingRules;

  @ApiProperty({ description: 'The exchange’s public fees; those of an account may differ.', type: RouteFees })
  fees: RouteFees;
}

class CatalogueStats {
  @ApiProperty({ description: 'Number of assets in this response.', type: 'integer', minimum: 0, example: 2 })
  totalAssets: number;

  @ApiProperty({ description: 'Number of routes in this response.', type: 'integer', minimum: 0, example: 1 })
  totalRoutes: number;

  @ApiProperty({
    description: 'Of these, routes on which trading is enabled.',
    type: 'integer',
    minimum: 0,
    example: 1,
  })
  tradableRoutes: number;
}

export class TradableAssetsResponse {
  @ApiProperty({ description: 'Version of this form.', type: 'integer', enum: [SCHEMA_VERSION], example: 1 })
  schemaVersion: number;

  @ApiProperty({ description: 'Exchange identifier.', example: exampleExchange.id })
  exchange: string;

  @ApiProperty({
    description: 'When the assets or routes last changed (ISO 8601, UTC).',
    type: 'string',
    format: 'date-time',
    example: '2026-01-01T12:00:00.000Z',
  })
  generatedAt: string;

  @ApiProperty({ description: 'Where the catalogue comes from.', type: CatalogueSource })
  source: CatalogueSource;

  @ApiProperty({ description: 'The assets of the routes, each once, in alphabetical order.', type: [TradableAsset] })
  assets: TradableAsset[];

  @ApiProperty({ description: 'What can be traded for what, by base asset and quote asset.', type: [TradableRoute] })
  routes: TradableRoute[];

  @ApiProperty({ description: 'Counts of this response, after the filters.', type: CatalogueStats })
  stats: CatalogueStats;
}
