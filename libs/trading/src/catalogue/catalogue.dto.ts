import { applyDecorators } from '@nestjs/common';
import { IsOptional, IsString, MaxLength } from 'class-validator';
import { exampleExchange } from '#exchange';
import { ApiField, ApiOptionalField } from '#platform/http';
import { SCHEMA_VERSION } from './catalogue.js';

const CODES_LENGTH_MAX = 2_000;
const DECIMAL = { type: 'string', pattern: '^[0-9]+(\\.[0-9]+)?$' } as const;
const RATE = { type: 'string', pattern: '^-?[0-9]+(\\.[0-9]+)?$' } as const;

/** Comma-separated asset codes. */
function CodesQuery(description: string, example: string): PropertyDecorator {
  return applyDecorators(
    ApiOptionalField(description, { example, maxLength: CODES_LENGTH_MAX }),
    IsOptional(),
    IsString(),
    MaxLength(CODES_LENGTH_MAX),
  );
}

export class TradableAssetsQuery {
  @ApiOptionalField(
    'Exchange identifier. It is ignored when the wallet header is present: the exchange of that wallet is used.',
    { example: exampleExchange.id, maxLength: 60 },
  )
  @IsOptional()
  @MaxLength(60)
  @IsString()
  exchange?: string;

  @CodesQuery(
    'Only routes from these assets (`baseAsset`), separated by commas; case does not matter, unknown assets are ignored. Empty = all routes.',
    'BTC,ETH',
  )
  source?: string;

  @CodesQuery('Another name of `source`. If both are sent, routes from the assets of both are returned.', 'BTC')
  sources?: string;

  @CodesQuery(
    'Only routes to these assets (`quoteAsset`), separated by commas; case does not matter, unknown assets are ignored. Empty = all routes.',
    'USD',
  )
  destination?: string;

  @CodesQuery('Another name of `destination`. If both are sent, routes to the assets of both are returned.', 'USD,EUR')
  destinations?: string;
}

class CatalogueSource {
  @ApiField('The call of the exchange that returned the list of pairs, without its host.', {
    example: '/0/public/AssetPairs',
  })
  api: string;

  @ApiField('When the exchange last returned the list (ISO 8601, UTC).', {
    format: 'date-time',
    example: '2026-01-01T12:10:00.000Z',
  })
  fetchedAt: string;
}

class TradableAsset {
  @ApiField('Code of the asset, the same as in balances.', { example: 'BTC' })
  assetId: string;

  @ApiField('Code of the asset.', { example: 'BTC' })
  symbol: string;

  @ApiField('The exchange’s own ids of the asset, in alphabetical order.', { example: ['XXBT'] })
  exchangeSymbols: string[];
}

class RouteMargin {
  @ApiField('Whether the exchange offers margin trading on the route. Orders that are placed here never use margin.')
  isMarginEnabled: boolean;
}

class PriceRules {
  @ApiField('Every price must be a multiple of this value, in the quote asset. It need not be a power of ten.', {
    ...DECIMAL,
    example: '0.1',
  })
  tickSize: string;

  @ApiField('Maximum number of digits after the point of a price.', { type: 'integer', minimum: 0, example: 1 })
  priceDecimals: number;
}

class QuantityRules {
  @ApiField('Minimum volume of an order, in the base asset.', { ...DECIMAL, example: '0.00005' })
  minBaseQty: string;

  @ApiField('Every volume must be a multiple of this value, in the base asset.', { ...DECIMAL, example: '0.00000001' })
  stepSize: string;

  @ApiField('Maximum number of digits after the point of a volume.', { type: 'integer', minimum: 0, example: 8 })
  quantityDecimals: number;
}

class CostRules {
  @ApiField('Smallest volume × price of an order, in the quote asset; null = no minimum.', {
    ...DECIMAL,
    nullable: true,
    example: '0.5',
  })
  minCost: string | null;
}

class TradingRules {
  @ApiField('Rules for the price of a limit order.', { type: PriceRules })
  price: PriceRules;

  @ApiField('Rules for the volume of an order.', { type: QuantityRules })
  quantity: QuantityRules;

  @ApiField('Rules for volume and price together.', { type: CostRules })
  cost: CostRules;
}

class FeeTier {
  @ApiField('The smallest trading volume of an account in the last 30 days for which the fees apply, in US dollars.', {
    ...DECIMAL,
    example: '50000',
  })
  volume: string;

  @ApiField('Fee of an order that waits in the order book, in percent of its cost; negative = the exchange pays.', {
    ...RATE,
    example: '0.14',
  })
  maker: string;

  @ApiField('Fee of an order that trades at once, in percent of its cost.', { ...RATE, example: '0.24' })
  taker: string;
}

class RouteFees {
  @ApiField('How the exchange charges the fee.', { enum: ['maker_taker'], example: 'maker_taker' })
  model: 'maker_taker';

  @ApiField('Fees by trading volume, ascending. Empty where the exchange does not publish them with its pairs.', {
    type: [FeeTier],
  })
  tiers: FeeTier[];
}

class TradableRoute {
  @ApiField('Id of the route, for Place order: `<exchange>:<marketType>:<baseAsset>-<quoteAsset>`.', {
    example: `${exampleExchange.id}:spot:BTC-USD`,
  })
  routeId: string;

  @ApiField('Exchange identifier.', { example: exampleExchange.id })
  exchange: string;

  @ApiField('Kind of market.', { enum: ['spot'], example: 'spot' })
  marketType: 'spot';

  @ApiField('Code of the asset in which the volume of an order is stated.', { example: 'BTC' })
  baseAsset: string;

  @ApiField('Code of the asset in which the price of an order is stated.', { example: 'USD' })
  quoteAsset: string;

  @ApiField('`<baseAsset>/<quoteAsset>`.', { example: 'BTC/USD' })
  displaySymbol: string;

  @ApiField('The exchange’s own name of the pair, as orders use it.', { example: 'XBTUSD' })
  exchangeSymbol: string;

  @ApiField('The exchange’s own status of the pair, in lower case.', { example: 'online' })
  status: string;

  @ApiField('Whether the exchange accepts plain orders on the route, according to its last list of pairs.')
  isTradingEnabled: boolean;

  @ApiField('Margin trading on the route.', { type: RouteMargin })
  margin: RouteMargin;

  @ApiField('Types of orders that the route accepts; empty while trading is not enabled.', {
    enum: ['market', 'limit'],
    isArray: true,
    example: ['market', 'limit'],
  })
  orderTypes: ('market' | 'limit')[];

  @ApiField('The rules for orders. Nothing is rounded.', { type: TradingRules })
  tradingRules: TradingRules;

  @ApiField('The exchange’s public fees. The fees of an account may differ.', { type: RouteFees })
  fees: RouteFees;
}

class CatalogueStats {
  @ApiField('Number of assets in this response.', { type: 'integer', minimum: 0, example: 2 })
  totalAssets: number;

  @ApiField('Number of routes in this response.', { type: 'integer', minimum: 0, example: 1 })
  totalRoutes: number;

  @ApiField('Number of these routes on which trading is enabled.', { type: 'integer', minimum: 0, example: 1 })
  tradableRoutes: number;
}

export class TradableAssetsResponse {
  @ApiField('Version of the form of this response.', { type: 'integer', enum: [SCHEMA_VERSION], example: 1 })
  schemaVersion: number;

  @ApiField('Exchange identifier.', { example: exampleExchange.id })
  exchange: string;

  @ApiField('When the assets or routes last changed (ISO 8601, UTC).', {
    format: 'date-time',
    example: '2026-01-01T12:00:00.000Z',
  })
  generatedAt: string;

  @ApiField('Where the catalogue comes from.', { type: CatalogueSource })
  source: CatalogueSource;

  @ApiField('The assets of the routes, each once, in alphabetical order.', { type: [TradableAsset] })
  assets: TradableAsset[];

  @ApiField('The pairs that can be traded, by base asset and quote asset.', { type: [TradableRoute] })
  routes: TradableRoute[];

  @ApiField('Counts of this response, after the filters.', { type: CatalogueStats })
  stats: CatalogueStats;
}
