import type { Input } from '#client';
import type { ExchangeCredentials } from '#exchange';
import { Secret } from '#platform/crypto';
import type { SandboxAccount } from './sandbox.js';

/**
 * An exchange whose protocol the sandbox exchange speaks, with the values that differ between these exchanges. One
 * account of the sandbox exchange works with the protocols of all of them.
 */
export interface SignedExchange {
  id: Input<'connectWallet'>['exchange'];
  /** Whether calls carry a passphrase. */
  hasPassphrase: boolean;
  class: 'by_reference' | 'by_match';
  /** The permissions of a key that may read, withdraw and trade. */
  permissions: string[];
  /** Types of the requirements that a quote for a saved address has. */
  requirements: string[];
  /** The kind of the error for an unknown key. */
  unknownKey: string;
  /** The outcome of a withdrawal of 0.0001 BTC, which is below the minimum. */
  belowMinimum: object;
  /** The reason of the unknown outcome of a withdrawal whose fee the balance does not cover. */
  noMoney: string;
  /** Whether the exchange executes both copies of a repeated withdrawal. */
  booksRepeats: boolean;
  /** How the exchange trades bitcoin; absent = the connector places no orders. */
  trading?: {
    symbol: string;
    quote: string;
    /** Name of the request field that contains our id of the order. */
    idField: string;
    unknownPair: string;
    noMoney: string;
    hasDeadline: boolean;
  };
}

const rejected = (code: string): object => ({ kind: 'rejected', code });

export const signedExchanges: readonly SignedExchange[] = [
  {
    id: 'okx',
    hasPassphrase: true,
    class: 'by_reference',
    permissions: ['read_only', 'withdraw', 'trade'],
    requirements: ['address_allowlist'],
    belowMinimum: rejected('WITHDRAWAL_AMOUNT_BELOW_MINIMUM'),
    unknownKey: 'credentials_invalid',
    noMoney: '58229',
    booksRepeats: false,
    trading: {
      symbol: 'BTC-USD',
      quote: 'USD',
      idField: 'clOrdId',
      unknownPair: 'BTC-XYZ',
      noMoney: '51008_1000',
      hasDeadline: true,
    },
  },
  {
    id: 'bybit',
    hasPassphrase: false,
    class: 'by_match',
    permissions: ['SpotTrade', 'Withdraw'],
    unknownKey: 'credentials_invalid',
    // Bybit's code 131096 does not show whether the amount is too low or too high. Bybit may also return it for the
    // second copy of a request whose first copy it has executed, so the outcome is unknown.
    requirements: [],
    belowMinimum: { kind: 'unknown', reason: '131096' },
    noMoney: '131212',
    booksRepeats: false,
    trading: {
      symbol: 'BTCUSDT',
      quote: 'USDT',
      idField: 'orderLinkId',
      unknownPair: 'BTCXYZ',
      noMoney: '170131',
      hasDeadline: false,
    },
  },
  {
    id: 'kucoin',
    hasPassphrase: true,
    class: 'by_reference',
    permissions: ['General', 'Transfer', 'Spot'],
    unknownKey: 'credentials_invalid',
    requirements: [],
    noMoney: '260100',
    booksRepeats: true,
    belowMinimum: rejected('WITHDRAWAL_AMOUNT_BELOW_MINIMUM'),
    trading: {
      symbol: 'BTC-USDT',
      quote: 'USDT',
      idField: 'clientOid',
      unknownPair: 'BTC-XYZ',
      noMoney: '200004',
      hasDeadline: false,
    },
  },
  {
    id: 'binance',
    hasPassphrase: false,
    class: 'by_reference',
    requirements: [],
    noMoney: '-4026',
    permissions: ['enableReading', 'enableWithdrawals', 'enableSpotAndMarginTrading'],
    // Binance has one error code for an unknown key, a call from another address, and a missing permission. So the
    // connector does not report an unknown key as invalid credentials.
    unknownKey: 'permission_missing',
    booksRepeats: true,
    belowMinimum: rejected('WITHDRAWAL_AMOUNT_BELOW_MINIMUM'),
    trading: {
      symbol: 'BTCUSDT',
      quote: 'USDT',
      idField: 'newClientOrderId',
      unknownPair: 'BTCXYZ',
      noMoney: '-2010',
      hasDeadline: false,
    },
  },
];

/** The exchanges whose connector places orders. */
export const tradingExchanges = signedExchanges.flatMap(({ trading, ...facts }) =>
  trading === undefined ? [] : [{ ...facts, trading }],
);

/** The body of a connect call for an account. */
export function keyOf(
  { hasPassphrase }: SignedExchange,
  { apiKey, apiSecret }: SandboxAccount,
  passphrase = 'sandbox',
) {
  return { apiKey, apiSecret, ...(hasPassphrase && { apiPassphrase: passphrase }) };
}

export function credentialsOf(
  exchange: SignedExchange,
  account: SandboxAccount,
  passphrase?: string,
): ExchangeCredentials {
  const { apiKey, apiSecret, apiPassphrase } = keyOf(exchange, account, passphrase);
  return {
    apiKey: new Secret(apiKey),
    apiSecret: new Secret(apiSecret),
    ...(apiPassphrase !== undefined && { apiPassphrase: new Secret(apiPassphrase) }),
  };
}
