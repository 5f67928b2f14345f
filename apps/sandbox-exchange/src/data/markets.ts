/** The markets as two tables: the quote assets, and the base assets with the quotes that they trade against. */

export interface Quote {
  /** Units of this asset for one US dollar. All prices are calculated from it, so they agree with each other. */
  readonly perDollar: string;
  /** How many more decimal places a price in this asset has than one in US dollars; negative means fewer. */
  readonly priceDigits: number;
  readonly costDecimals: number;
  /** Smallest price × volume of an order. */
  readonly costMin: string;
}

export const quotes: Readonly<Record<string, Quote>> = {
  USD: { perDollar: '1', priceDigits: 0, costDecimals: 5, costMin: '0.5' },
  USDT: { perDollar: '1', priceDigits: 0, costDecimals: 5, costMin: '0.5' },
  USDC: { perDollar: '1', priceDigits: 0, costDecimals: 5, costMin: '0.5' },
  EUR: { perDollar: '0.8', priceDigits: 0, costDecimals: 5, costMin: '0.45' },
  GBP: { perDollar: '0.75', priceDigits: 0, costDecimals: 5, costMin: '0.4' },
  CAD: { perDollar: '1.4', priceDigits: 0, costDecimals: 5, costMin: '0.7' },
  AUD: { perDollar: '1.5', priceDigits: 0, costDecimals: 5, costMin: '0.75' },
  CHF: { perDollar: '0.9', priceDigits: 0, costDecimals: 5, costMin: '0.45' },
  JPY: { perDollar: '150', priceDigits: -2, costDecimals: 3, costMin: '50' },
  BTC: { perDollar: '0.00001', priceDigits: 4, costDecimals: 10, costMin: '0.00002' },
  ETH: { perDollar: '0.00025', priceDigits: 3, costDecimals: 10, costMin: '0.0002' },
};

export interface Base {
  readonly code: string;
  /** Price in US dollars. */
  readonly price: string;
  /** Decimal places of the price in US dollars. */
  readonly priceDigits: number;
  readonly orderMin: string;
  readonly quotes: readonly string[];
  /** The smallest step of a price, in units of its last digit. */
  readonly tick: number;
}

type Row = readonly [code: string, price: string, priceDigits: number, orderMin: string, quotes: string, tick?: number];

/** A row omits the tick when it is one unit of the last digit. */
const rows: readonly Row[] = [
  ['BTC', '100000', 1, '0.00005', 'USD EUR GBP CAD AUD CHF JPY USDT USDC'],
  ['ETH', '4000', 2, '0.001', 'USD EUR GBP CAD AUD CHF JPY USDT USDC BTC'],
  ['SOL', '200', 2, '0.02', 'USD EUR GBP AUD USDT USDC BTC ETH'],
  ['XRP', '2.5', 5, '2', 'USD EUR GBP AUD CAD USDT USDC BTC ETH'],
  ['ADA', '0.8', 6, '6', 'USD EUR GBP AUD USDT USDC BTC ETH'],
  ['DOGE', '0.2', 7, '20', 'USD EUR GBP USDT USDC BTC'],
  ['LTC', '100', 2, '0.05', 'USD EUR GBP AUD USDT BTC ETH', 5],
  ['BCH', '500', 2, '0.01', 'USD EUR GBP USDT BTC ETH', 25],
  ['DOT', '4', 4, '1', 'USD EUR GBP USDT BTC ETH'],
  ['LINK', '20', 5, '0.2', 'USD EUR GBP AUD USDT USDC BTC ETH'],
  ['ATOM', '4', 4, '1', 'USD EUR GBP USDT USDC BTC ETH'],
  ['AVAX', '20', 2, '0.2', 'USD EUR USDT USDC'],
  ['XLM', '0.3', 6, '15', 'USD EUR GBP BTC'],
  ['XMR', '400', 2, '0.01', 'USD EUR USDT BTC', 2],
  ['ZEC', '300', 2, '0.02', 'USD EUR BTC', 5],
  ['ETC', '20', 3, '0.2', 'USD EUR BTC ETH'],
  ['TRX', '0.3', 6, '15', 'USD EUR BTC ETH'],
  ['XTZ', '0.6', 4, '8', 'USD EUR GBP BTC ETH'],
  ['ALGO', '0.2', 5, '25', 'USD EUR GBP USDT USDC BTC'],
  ['UNI', '6', 3, '0.8', 'USD EUR BTC ETH'],
  ['AAVE', '200', 2, '0.02', 'USD EUR GBP BTC ETH', 5],
  ['POL', '0.2', 4, '25', 'USD EUR GBP BTC'],
  ['NEAR', '2', 3, '2', 'USD EUR USDT'],
  ['FIL', '1.5', 3, '3', 'USD EUR GBP BTC'],
  ['SUI', '2', 4, '2', 'USD EUR USDT USDC'],
  ['APT', '3', 4, '1', 'USD EUR'],
  ['TON', '2', 3, '2', 'USD EUR USDT'],
  ['ARB', '0.3', 4, '15', 'USD EUR'],
  ['OP', '0.4', 4, '10', 'USD EUR'],
  ['INJ', '6', 3, '0.8', 'USD EUR'],
  ['TIA', '1', 4, '5', 'USD EUR'],
  ['SEI', '0.15', 4, '30', 'USD EUR'],
  ['HBAR', '0.15', 5, '30', 'USD EUR'],
  ['STX', '0.4', 4, '10', 'USD EUR'],
  ['BNB', '800', 2, '0.006', 'USD EUR USDT', 10],
  ['DASH', '50', 3, '0.1', 'USD EUR BTC'],
  ['KSM', '10', 2, '0.5', 'USD EUR', 2],
  ['PAXG', '4000', 2, '0.001', 'USD EUR BTC', 50],
  ['SHIB', '0.00001', 9, '400000', 'USD EUR USDT ETH'],
  ['币安人生', '0.2', 5, '5', 'USD USDT'],
  ['Jade Protocol', '0.5', 4, '2', 'USD USDT'],
  ['PEPE', '0.000005', 10, '800000', 'USD EUR USDT BTC'],
  ['LDO', '0.8', 3, '6', 'USD EUR'],
  ['CRV', '0.4', 3, '10', 'USD EUR'],
  ['GRT', '0.05', 5, '80', 'USD EUR BTC'],
  ['USDT', '1', 5, '5', 'USD EUR GBP CAD AUD CHF JPY'],
  ['USDC', '1', 5, '5', 'USD EUR GBP USDT'],
  ['DAI', '1', 5, '5', 'USD EUR USDT'],
  ['PYUSD', '1', 5, '5', 'USD EUR'],
  ['EUR', '1.25', 5, '5', 'USD GBP CAD AUD CHF JPY'],
  ['GBP', '1.33333', 5, '5', 'USD'],
  ['AUD', '0.66666', 5, '5', 'USD JPY'],
  ['USD', '1', 5, '5', 'CAD CHF JPY'],
];

export const bases: readonly Base[] = rows.map(([code, price, priceDigits, orderMin, list, tick = 1]) => ({
  code,
  price,
  priceDigits,
  orderMin,
  quotes: list.split(' '),
  tick,
}));

/** Rules of one pair that do not follow from its assets. */
interface UnusualRules {
  readonly priceDigits?: number;
  /** The smallest step of a price, in units of its last digit. */
  readonly tick?: number;
  readonly volumeDigits?: number;
  readonly orderMin?: string;
  readonly costMin?: string;
}

/** Made-up rules by pair, as tests for clients: valid in Kraken's format, but rare in practice. */
export const unusualRules: Readonly<Record<string, UnusualRules>> = {
  'PEPE/BTC': { priceDigits: 18 },
  'SHIB/ETH': { priceDigits: 18, tick: 25 },
  'XRP/AUD': { tick: 7 },
  'SHIB/EUR': { volumeDigits: 0 },
  'ETH/CHF': { volumeDigits: 4 },
  'BTC/AUD': { volumeDigits: 7, orderMin: '0.0000001', costMin: '0.001' },
  'BTC/CHF': { volumeDigits: 10, orderMin: '0.0000001', costMin: '0.001' },
};
