import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { AssetBalance, ExchangeSession, OtherAccount, UnreadAccount } from '#exchange';
import { Clock } from '#platform/clock';
import { Database, toStorableJson } from '#platform/database';
import type { WalletTarget } from '../credentials/wallet-credentials.service.js';
import type { Wallet } from '../wallets/wallet.entity.js';
import { toBalance, type BalanceRow } from './stored-balance.js';

/** How long other accounts are not read again although the balances on which withdrawals rest stay the same. */
const READ_AFTER_MS = 3_600_000;
/** The same if those balances have changed, because the owner may have moved money between the accounts. */
const READ_AGAIN_AFTER_MS = 60_000;
/** The same if an account was unavailable. */
const RETRY_AFTER_MS = 300_000;

interface StoredAccounts {
  accounts: OtherAccount[];
  ownDigest: Buffer;
  readAt: Date;
}

interface AccountsRow extends Omit<StoredAccounts, 'accounts'> {
  accounts: (Omit<OtherAccount, 'balances'> & { balances: BalanceRow[] })[];
}

/** The version of a wallet's credentials. */
type Version = Pick<WalletTarget, 'walletId' | 'version'>;

/**
 * The owner's accounts on which no withdrawal rests. They cost more calls than all other accounts together, so they are
 * read less often, and the last reading is stored.
 */
@Injectable()
export class OtherAccounts {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns the balances of the accounts, from the exchange when a reading is due. An account that cannot be read keeps
   * the amounts of its last reading.
   * @param own the balances on which withdrawals rest, just read
   */
  async read(session: ExchangeSession, version: Version, own: readonly AssetBalance[]): Promise<AssetBalance[]> {
    if (session.otherAccounts === undefined) return [];
    const stored = await this.find(version);
    const ownDigest = digestOf(own);
    if (stored !== null && !this.isDue(stored, ownDigest)) return balancesOf(stored.accounts);
    const readAt = this.clock.now();
    const accounts = (await session.otherAccounts(own)).map((account) => withLastKnown(account, stored?.accounts));
    await this.record(version, { accounts, ownDigest, readAt });
    return balancesOf(accounts);
  }

  /** Returns the accounts that the last reading could not read, or could not read wholly. */
  async unread({ id }: Pick<Wallet, 'id'>): Promise<UnreadAccount[]> {
    const [row] = await this.db.read<{ unread: UnreadAccount[] | null }>(
      { name: 'unread accounts of a wallet', text: `select ${UNREAD_COLUMN} as unread from wallets where id = $1` },
      [id],
    );
    return row?.unread ?? [];
  }

  private isDue({ accounts, ownDigest, readAt }: StoredAccounts, digest: Buffer): boolean {
    // A time in the future comes from a wrong clock.
    const ageMs = Math.abs(this.clock.now().getTime() - readAt.getTime());
    if (!ownDigest.equals(digest)) return ageMs >= READ_AGAIN_AFTER_MS;
    const isIncomplete = accounts.some(({ unread }) => unread.some(({ reason }) => reason === 'unavailable'));
    return ageMs >= (isIncomplete ? RETRY_AFTER_MS : READ_AFTER_MS);
  }

  private async find({ walletId, version }: Version): Promise<StoredAccounts | null> {
    const [row] = await this.db.query<AccountsRow>(
      `select accounts, own_digest as "ownDigest", read_at as "readAt" from wallet_other_accounts
        where wallet_id = $1 and credential_version = $2`,
      [walletId, version],
    );
    if (row === undefined) return null;
    return { ...row, accounts: row.accounts.map((one) => ({ ...one, balances: one.balances.map(toBalance) })) };
  }

  /** Stores a reading, unless the wallet was deleted, or its credentials were replaced, after the request. */
  private async record({ walletId, version }: Version, { accounts, ownDigest, readAt }: StoredAccounts): Promise<void> {
    await this.db.query(
      `insert into wallet_other_accounts (wallet_id, accounts, unread, own_digest, credential_version, read_at)
       select w.id, $2, $3, $4, $5, $6
         from wallets w join current_credentials c on c.wallet_id = w.id
        where w.id = $1 and w.deleted_at is null and c.version = $5 for share of w
       on conflict (wallet_id) do update
          set accounts = excluded.accounts, unread = excluded.unread, own_digest = excluded.own_digest,
              credential_version = excluded.credential_version, read_at = excluded.read_at`,
      [
        walletId,
        toStorableJson(accounts.map(toStored)),
        toStorableJson(accounts.flatMap(({ unread }) => unread)),
        ownDigest,
        version,
        readAt,
      ],
    );
  }
}

/** The unread accounts of one wallet, as a column of a query of `wallets`; null = all accounts were read. */
export const UNREAD_COLUMN = `(select unread from wallet_other_accounts
  where wallet_id = wallets.id and wallets.last_sync_at is not null)`;

function balancesOf(accounts: readonly OtherAccount[]): AssetBalance[] {
  return accounts.flatMap(({ balances }) => balances ?? []);
}

/** Replaces the balances that could not be read by those of the earlier reading of the same account. */
function withLastKnown(account: OtherAccount, earlier: readonly OtherAccount[] = []): OtherAccount {
  const known = earlier.find(({ name }) => name === account.name)?.balances ?? [];
  if (account.balances === null) return { ...account, balances: known };
  const partial = account.balances.filter(({ isPartial }) => isPartial === true).map(({ asset }) => asset);
  const whole = account.balances.filter(({ asset }) => !partial.includes(asset));
  return { ...account, balances: [...whole, ...known.filter(({ asset }) => partial.includes(asset))] };
}

function toStored({ balances, ...account }: OtherAccount): object {
  return { ...account, balances: (balances ?? []).map(toRow) };
}

function toRow({ holdings: _holdings, isPartial: _isPartial, elsewhere = [], ...balance }: AssetBalance): object {
  return { ...balance, elsewhere };
}

function digestOf(balances: readonly AssetBalance[]): Buffer {
  const texts = balances.map((balance) => JSON.stringify(toRow(balance))).sort();
  return createHash('sha256').update(texts.join('\n')).digest();
}
