import { createHash } from 'node:crypto';
import { assetById, withAllDigits } from '../catalogue.js';
import type { Exchange } from '../exchange.js';
import type { Account } from '../ledger/records.js';
import type { Call, PrivateEndpoints, PublicEndpoints } from './handler.js';

/** https://docs.kraken.com/api-reference/market-data: get-server-time, get-system-status. */
export const statusEndpoints: PublicEndpoints = {
  Time: ({ now }) => ({ unixtime: Math.floor(now.getTime() / 1000), rfc1123: now.toUTCString() }),
  SystemStatus: ({ now }) => ({ status: 'online', timestamp: now.toISOString() }),
};

/** https://docs.kraken.com/api-reference/account-data/get-account-balance */
function balance({ exchange, account }: Call): unknown {
  const book = exchange.book(account);
  return Object.fromEntries(book.assets().map((id) => [id, withAllDigits(book.total(id), assetById(id))]));
}

/** https://docs.kraken.com/api-reference/account-data/get-extended-balance */
function balanceEx({ exchange, account }: Call): unknown {
  const book = exchange.book(account);
  return Object.fromEntries(
    book.assets().map((id) => {
      const asset = assetById(id);
      return [id, { balance: withAllDigits(book.total(id), asset), hold_trade: withAllDigits(book.held(id), asset) }];
    }),
  );
}

/** Kraken's own number of an account (IIBAN), as get-api-key-info writes it: `AA88 N84G …`, always the same one. */
export function ibanOf({ oauth }: Exchange, { id }: Account): string {
  return oauth.identities.get(id)?.iban ?? `AA88 N84G ${numberOf(id)}`;
}

/** Two groups of four. */
function numberOf(accountId: string): string {
  const digest = createHash('sha256').update(accountId).digest('hex').slice(0, 8).toUpperCase();
  return `${digest.slice(0, 4)} ${digest.slice(4)}`;
}

/** https://docs.kraken.com/api-reference/account-data/get-api-key-info: needs no permission. Times in seconds, as text. */
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
