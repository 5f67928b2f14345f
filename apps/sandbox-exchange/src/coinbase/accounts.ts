import { createHash } from 'node:crypto';
import { assetById, withAllDigits } from '../catalogue.js';
import { demand, may } from './authenticate.js';
import { CoinbaseError } from './coinbase-error.js';
import { FIAT } from './currencies.js';
import type { CoinbaseCall } from './handler.js';

const PAGE = 49;
const PAGE_MAX = 250;

/** The same for the same words. */
function uuidOf(...words: string[]): string {
  const digest = createHash('sha256').update(words.join(' ')).digest('hex');
  const parts = [digest.slice(0, 8), digest.slice(8, 12), `4${digest.slice(13, 16)}`, `8${digest.slice(17, 20)}`];
  return [...parts, digest.slice(20, 32)].join('-');
}

/** https://docs.cdp.coinbase.com/api-reference/advanced-trade-api/rest-api/accounts/list-accounts */
export function accounts({ exchange, account, caller, query }: CoinbaseCall): unknown {
  demand(caller, { scope: 'wallet:accounts:read', permission: 'view' });
  const book = exchange.book(account);
  const at = new Date(account.createdAt).toISOString();
  const all = book.assets().map((id) => {
    const asset = assetById(id);
    const { code: currency } = asset;
    const balanceOf = (value: Parameters<typeof withAllDigits>[0]) => ({
      value: withAllDigits(value, asset),
      currency,
    });
    return {
      ...{ uuid: uuidOf(account.id, id), name: `${currency} Wallet`, currency },
      ...{ available_balance: balanceOf(book.free(id)), hold: balanceOf(book.held(id)), default: true, active: true },
      ...{ created_at: at, updated_at: at, deleted_at: null, ready: true },
      type: FIAT.has(currency) ? 'ACCOUNT_TYPE_FIAT' : 'ACCOUNT_TYPE_CRYPTO',
      ...{ retail_portfolio_id: uuidOf(account.id, 'portfolio'), platform: 'ACCOUNT_PLATFORM_CONSUMER' },
    };
  });
  const limit = Number(query.get('limit') ?? PAGE);
  if (!Number.isInteger(limit) || limit < 1 || limit > PAGE_MAX) throw new CoinbaseError('invalid_request', 'limit');
  const cursor = query.get('cursor') ?? '';
  const start = cursor === '' ? 0 : all.findIndex(({ uuid }) => uuid === cursor) + 1;
  if (cursor !== '' && start === 0) throw new CoinbaseError('invalid_request', 'cursor');
  const page = all.slice(start, start + limit);
  const hasNext = start + limit < all.length;
  return { accounts: page, has_next: hasNext, cursor: hasNext ? page.at(-1)?.uuid : '', size: page.length };
}

/**
 * https://docs.cdp.coinbase.com/api-reference/advanced-trade-api/rest-api/data-api/get-api-key-permissions: of API keys.
 * What an access token is told is not documented; here it is what its scopes amount to.
 */
export function keyPermissions({ account, caller }: CoinbaseCall): unknown {
  return {
    can_view: may(caller, { scope: 'wallet:accounts:read', permission: 'view' }),
    can_trade: may(caller, { scope: 'wallet:trades:create', permission: 'trade' }),
    can_transfer: may(caller, { scope: 'wallet:transactions:send', permission: 'transfer' }),
    portfolio_uuid: uuidOf(account.id, 'portfolio'),
    portfolio_type: 'DEFAULT',
  };
}

/** https://docs.cdp.coinbase.com/api-reference/advanced-trade-api/rest-api/fees/get-transaction-summary; fees are not played. */
export function transactionSummary({ caller }: CoinbaseCall): unknown {
  demand(caller, { scope: 'wallet:trades:read', permission: 'view' });
  return { total_volume: 0, total_fees: 0, fee_tier: { pricing_tier: '', taker_fee_rate: '0', maker_fee_rate: '0' } };
}
