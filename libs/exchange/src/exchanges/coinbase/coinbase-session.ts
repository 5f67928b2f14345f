import { Amount } from '#money';
import { responseBehind } from '../../ccxt/ccxt-class.js';
import type { CcxtClient, Endpoint } from '../../ccxt/ccxt-client.js';
import type { CredentialKind } from '../../ccxt/ccxt-exchange.js';
import { ExchangeError } from '../../port/exchange-error.js';
import { UnusableResponse } from '../../transport/failed-read.js';
import type { AssetBalance, ExchangeSession, KeyInfo } from '../../port/exchange.port.js';
import type { IdentityCapability } from '../../port/identity.port.js';
import {
  readAccountPage,
  readKeyPermissions,
  readScopes,
  readUser,
  type CoinbaseAccount,
} from './coinbase-responses.js';

const V2 = ['v2', 'private'] as const;
const V3 = ['v3', 'private'] as const;
const ACCOUNTS: Endpoint = { api: V3, method: 'GET', path: 'brokerage/accounts' };
const KEY_PERMISSIONS: Endpoint = { api: V3, method: 'GET', path: 'brokerage/key_permissions' };
const USER: Endpoint = { api: V2, method: 'GET', path: 'user' };
const USER_AUTH: Endpoint = { api: V2, method: 'GET', path: 'user/auth' };

/** The maximum that Coinbase allows. */
const PAGE_SIZE = '250';
/** Enough for an account in each of ten thousand assets. A list with more pages would not end. */
const PAGES_MAX = 40;
/** A vault: its holder must first request a withdrawal, which takes days, so its balance is not free. */
const VAULT = 'ACCOUNT_TYPE_VAULT';

/** Our asset codes by Coinbase's, where they differ. */
const CODES: Readonly<Record<string, string>> = { CGLD: 'CELO' };

/** The capabilities of one Coinbase account. */
export class CoinbaseSession implements Omit<ExchangeSession, 'exchange' | 'connectorVersion'> {
  readonly identity: IdentityCapability;

  constructor(
    private readonly client: CcxtClient,
    private readonly credentials: CredentialKind,
  ) {
    this.identity = { read: async () => ({ iban: null, ...(await client.call(USER, {}, readUser)) }) };
  }

  async balances(): Promise<AssetBalance[]> {
    const byAsset = new Map<string, AssetBalance>();
    for (const account of await this.accounts()) {
      const asset = CODES[account.currency] ?? account.currency;
      const before = byAsset.get(asset) ?? { asset, free: Amount.zero, used: Amount.zero, total: Amount.zero };
      const available = account.available_balance.value;
      const total = available.plus(account.hold.value);
      const free = account.type === VAULT ? Amount.zero : available;
      byAsset.set(asset, {
        asset,
        free: before.free.plus(free),
        used: before.used.plus(total.minus(free)),
        total: before.total.plus(total),
      });
    }
    return [...byAsset.values()];
  }

  async keyInfo(): Promise<KeyInfo> {
    const permissions =
      this.credentials === 'bearer'
        ? await this.client.call(USER_AUTH, {}, readScopes)
        : await this.client.call(KEY_PERMISSIONS, {}, readKeyPermissions);
    return {
      permissions,
      ipAllowlist: [],
      validUntil: null,
      lastUsed: null,
      createdTime: null,
      modifiedTime: null,
    };
  }

  /** Reads all accounts by their id, so that an account that moves to a later page meanwhile is not counted twice. */
  private async accounts(): Promise<CoinbaseAccount[]> {
    const byId = new Map<string, CoinbaseAccount>();
    let cursor: string | null = null;
    for (let pages = 0; pages < PAGES_MAX; pages++) {
      const params: Record<string, string> = { limit: PAGE_SIZE, ...(cursor === null ? {} : { cursor }) };
      const page: ReturnType<typeof readAccountPage> = await this.accountPage(params);
      for (const account of page.accounts) byId.set(account.uuid, account);
      if (page.nextCursor === null) return [...byId.values()];
      cursor = page.nextCursor;
    }
    throw new UnusableResponse(this.client.exchange, 'the list of accounts does not end');
  }

  /** Advanced Trade only refuses a token. Coinbase App also reports whether it has expired or was revoked. */
  private async accountPage(params: Record<string, string>): Promise<ReturnType<typeof readAccountPage>> {
    try {
      return await this.client.call(ACCOUNTS, params, readAccountPage);
    } catch (error) {
      if (this.credentials === 'bearer' && isUnexplained401(error)) await this.client.call(USER_AUTH, {}, readScopes);
      throw error;
    }
  }
}

function isUnexplained401(error: unknown): boolean {
  if (!(error instanceof ExchangeError) || error.kind !== 'unavailable') return false;
  return responseBehind(error.cause)?.status === 401;
}
