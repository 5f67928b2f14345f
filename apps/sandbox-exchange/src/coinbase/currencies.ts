import { assets } from '../catalogue.js';

export const FIAT: ReadonlySet<string> = new Set(['USD', 'EUR', 'GBP', 'CAD', 'AUD', 'JPY', 'CHF']);

/** Source: https://docs.cdp.coinbase.com/coinbase-app/track-apis/currencies, fiat currencies. */
export function fiatCurrencies(): unknown {
  const fiat = assets.filter(({ code }) => FIAT.has(code));
  return { data: fiat.map(({ code }) => ({ id: code, name: code, min_size: '0.01' })) };
}

/**
 * Source: https://docs.cdp.coinbase.com/coinbase-app/track-apis/currencies, cryptocurrencies. The sandbox leaves
 * `address_regex` empty.
 */
export function cryptoCurrencies(): unknown {
  const crypto = assets.filter(({ code }) => !FIAT.has(code));
  return {
    data: crypto.map(({ code, id, decimals }, index) => ({
      asset_id: id,
      code,
      name: code,
      color: '#1f5fd0',
      sort_index: index,
      exponent: decimals,
      type: 'crypto',
      address_regex: '',
    })),
  };
}

/**
 * Source: https://docs.cdp.coinbase.com/coinbase-app/track-apis/exchange-rates. The response contains only the rate of
 * dollars in dollars.
 */
export function exchangeRates(): unknown {
  return { data: { currency: 'USD', rates: { USD: '1' } } };
}
