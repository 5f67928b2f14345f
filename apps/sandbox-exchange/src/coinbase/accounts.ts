import type { Amount } from '#money';
import { withAllDigits } from '../catalogue.js';
import { demand, may } from './authenticate.js';
import { CoinbaseError } from './coinbase-error.js';
import { FIAT } from './currencies.js';
import type { CoinbaseCall } from './handler.js';
import { heldBy, heldOf, uuidOf, type Held } from './wallets.js';

/** Maximum number of accounts on one page. */
const PAGE_MAX = 250;

interface Page {
  held: Held[];
  limit: number;
  /** UUID after which the next page starts; null on the last page. */
  next: string | null;
}

function pageOf(
  call: CoinbaseCall,
  { after, standard, most }: { after: string; standard: number; most: number },
): Page {
  const all = heldBy(call);
  const limit = Number(call.query.get('limit') ?? standard);
  if (!Number.isInteger(limit) || limit < 1 || limit > most)
    throw new CoinbaseError('invalid_request', `limit must be 1 to ${most}`);
  const start = after === '' ? 0 : all.findIndex(({ uuid }) => uuid === after) + 1;
  if (after !== '' && start === 0) throw new CoinbaseError('invalid_request', 'the cursor is unknown');
  const held = all.slice(start, start + limit);
  return { held, limit, next: start + limit < all.length ? (held.at(-1)?.uuid ?? null) : null };
}

/** Source: https://docs.cdp.coinbase.com/api-reference/advanced-trade-api/rest-api/accounts/list-accounts */
export function accounts(call: CoinbaseCall): unknown {
  const { exchange, account, caller, query } = call;
  demand(caller, { scope: 'wallet:accounts:read', permission: 'view' });
  const { held, next } = pageOf(call, { after: query.get('cursor') ?? '', standard: 49, most: PAGE_MAX });
  const book = exchange.book(account);
  const at = new Date(account.createdAt).toISOString();
  const list = held.map(({ uuid, asset }) => {
    const { id, code: currency } = asset;
    const balanceOf = (value: Amount) => ({ value: withAllDigits(value, asset), currency });
    return {
      uuid,
      name: `${currency} Wallet`,
      currency,
      default: true,
      active: true,
      ready: true,
      available_balance: balanceOf(book.free(id)),
      hold: balanceOf(book.held(id)),
      created_at: at,
      updated_at: at,
      deleted_at: null,
      type: FIAT.has(currency) ? 'ACCOUNT_TYPE_FIAT' : 'ACCOUNT_TYPE_CRYPTO',
      retail_portfolio_id: uuidOf(account.id, 'portfolio'),
      platform: 'ACCOUNT_PLATFORM_CONSUMER',
    };
  });
  return { accounts: list, has_next: next !== null, cursor: next ?? '', size: list.length };
}

/**
 * Source: https://docs.cdp.coinbase.com/coinbase-app/track-apis/accounts and /api-architecture/pagination; only forward
 * pagination.
 */
export function walletAccounts(call: CoinbaseCall): unknown {
  const { caller, query } = call;
  demand(caller, { scope: 'wallet:accounts:read', permission: 'view' });
  const after = query.get('starting_after') ?? '';
  const { held, limit, next } = pageOf(call, { after, standard: 25, most: PAGE_MAX });
  return {
    pagination: {
      ending_before: null,
      starting_after: after === '' ? null : after,
      previous_ending_before: null,
      next_starting_after: next,
      limit,
      order: 'desc',
      previous_uri: null,
      next_uri: next === null ? null : `/v2/accounts?limit=${limit}&starting_after=${next}`,
    },
    data: held.map((one) => walletRecord(call, one)),
  };
}

/** Source: https://docs.cdp.coinbase.com/coinbase-app/track-apis/accounts. */
export function walletAccount(call: CoinbaseCall): unknown {
  demand(call.caller, { scope: 'wallet:accounts:read', permission: 'view' });
  return { data: walletRecord(call, heldOf(call)) };
}

function walletRecord({ exchange, account }: CoinbaseCall, { uuid, asset }: Held): unknown {
  const { id, code, decimals } = asset;
  const type = FIAT.has(code) ? 'fiat' : 'crypto';
  const at = `${new Date(account.createdAt).toISOString().slice(0, 19)}Z`;
  return {
    id: uuid,
    name: `${code} Wallet`,
    primary: true,
    type: type === 'fiat' ? 'fiat' : 'wallet',
    currency: { code, name: code, exponent: decimals, type, asset_id: id },
    balance: { amount: withAllDigits(exchange.book(account).total(id), asset), currency: code },
    created_at: at,
    updated_at: at,
    resource: 'account',
    resource_path: `/v2/accounts/${uuid}`,
    allow_deposits: true,
    allow_withdrawals: true,
  };
}

/**
 * Source: https://docs.cdp.coinbase.com/api-reference/advanced-trade-api/rest-api/data-api/get-api-key-permissions. The
 * page covers API keys only. The response to an access token is not documented; here it follows from its scopes.
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

/**
 * Source: https://docs.cdp.coinbase.com/api-reference/advanced-trade-api/rest-api/fees/get-transaction-summary. Fees
 * are always zero.
 */
export function transactionSummary({ caller }: CoinbaseCall): unknown {
  demand(caller, { scope: 'wallet:trades:read', permission: 'view' });
  return { total_volume: 0, total_fees: 0, fee_tier: { pricing_tier: '', taker_fee_rate: '0', maker_fee_rate: '0' } };
}
