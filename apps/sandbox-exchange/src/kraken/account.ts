import { createHash } from 'node:crypto';
import { assetById, withAllDigits } from '../catalogue.js';
import type { Exchange } from '../exchange.js';
import type { Account } from '../ledger/records.js';
import type { Call, PrivateEndpoints, PublicEndpoints } from './handler.js';

/** Source: https://docs.kraken.com/api-reference/market-data, get-server-time and get-system-status. */
export const statusEndpoints: PublicEndpoints = {
  Time: ({ now }) => ({ unixtime: Math.floor(now.getTime() / 1000), rfc1123: now.toUTCString() }),
  SystemStatus: ({ now }) => ({ status: 'online', timestamp: now.toISOString() }),
};

/** Source: https://docs.kraken.com/api-reference/account-data/get-account-balance */
function balance({ exchange, account }: Call): unknown {
  const book = exchange.book(account);
  return Object.fromEntries(book.assets().map((id) => [id, withAllDigits(book.total(id), assetById(id))]));
}

/** Source: https://docs.kraken.com/api-reference/account-data/get-extended-balance */
function balanceEx({ exchange, account }: Call): unknown {
  const book = exchange.book(account);
  return Object.fromEntries(
    book.assets().map((id) => {
      const asset = assetById(id);
      return [id, { balance: withAllDigits(book.total(id), asset), hold_trade: withAllDigits(book.held(id), asset) }];
    }),
  );
}

/**
 * Kraken's number of an account (IIBAN) in the format of get-api-key-info: `AA88 N84G …`. It is derived from the
 * account id, unless the control API has set a number.
 */
export function ibanOf({ oauth }: Exchange, { id }: Account): string {
  return oauth.identities.get(id)?.iban ?? `AA88 N84G ${numberOf(id)}`;
}

/** Returns two groups of four hexadecimal digits. */
function numberOf(accountId: string): string {
  const digest = createHash('sha256').update(accountId).digest('hex').slice(0, 8).toUpperCase();
  return `${digest.slice(0, 4)} ${digest.slice(4)}`;
}

/**
 * Source: https://docs.kraken.com/api-reference/account-data/get-api-key-info. The call needs no permission. Times
 * are seconds, as text.
 */
function getApiKeyInfo({ exchange, key, account, now }: Call): unknown {
  const seconds = (ms: number) => String(Math.floor(ms / 1000));
  return {
    apiKeyName: account.name,
    apiKey: key.apiKey,
    nonce: key.lastNonce,
    nonceWindow: key.nonceWindow,
    permissions: key.permissions,
    iban: ibanOf(exchange, account),
    validUntil: seconds(key.validUntil ?? 0),
    queryFrom: '0',
    queryTo: '0',
    createdTime: seconds(key.createdAt),
    modifiedTime: seconds(key.modifiedAt),
    ipAllowlist: key.ipAllowlist,
    lastUsed: seconds(now.getTime()),
  };
}

export const accountEndpoints: PrivateEndpoints = {
  Balance: { handler: balance, permissions: ['query-funds'] },
  BalanceEx: { handler: balanceEx, permissions: ['query-funds'] },
  GetApiKeyInfo: { handler: getApiKeyInfo, permissions: [] },
};
