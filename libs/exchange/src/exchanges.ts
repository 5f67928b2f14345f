import type { ExchangeSpec } from './exchange-spec.js';

const kraken: ExchangeSpec = {
  id: 'kraken',
  name: 'Kraken',
  docsUrl: 'https://docs.kraken.com/api/',
  credentialFields: ['apiKey', 'apiSecret'],
  hasSandbox: true,
  sandboxOnly: false,
};

/** Every exchange that can be connected: one line each. */
export const exchanges = { kraken } as const;

export type ExchangeId = keyof typeof exchanges;

/** Ids of all exchanges, in the order in which they are shown. */
export const exchangeIds: readonly string[] = Object.keys(exchanges);
