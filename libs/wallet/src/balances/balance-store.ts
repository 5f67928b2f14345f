import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { AccountAmount, AssetBalance } from '#exchange';
import { Clock, CLOCK_ERROR_MS } from '#platform/clock';
import { Config } from '#platform/config';
import {
  Database,
  DatabaseClock,
  DatabaseTooSlow,
  HostClockDiffers,
  toStorableJson,
  type NamedStatement,
} from '#platform/database';
import { Events } from '#platform/events';
import { InvalidApiFlag } from '../wallets/invalid-api-flag.js';
import { nextSyncAfter } from './sync-schedule.js';
import type { WalletTarget } from '../credentials/wallet-credentials.service.js';
import { WalletNotFound } from '../wallets/wallet.errors.js';
import { Wallets } from '../wallets/wallets.service.js';

/** An amount of `AssetBalance.elsewhere` in the database, as text. */
export type StoredAmount = Omit<AccountAmount, 'amount'> & { amount: string };

/** The balances that the exchange has reported for a wallet, without assets whose balance is zero. */
export interface ReportedBalances {
  target: WalletTarget;
  balances: AssetBalance[];
  askedAt: Date;
}

interface LockedWallet {
  project_id: string;
  external_id: string;
  exchange: string;
  last_sync_at: Date | null;
  version: string | null;
  grant_ended: boolean;
}

/** SQL that reads the reported balances of one or more wallets from the first parameters of a statement. */
const ANSWERS = `unnest($1::uuid[], $2::text[], $3::numeric[], $4::numeric[], $5::numeric[], $6::numeric[], $7::jsonb[],
                          $8::boolean[])
                   as answers (wallet_id, asset, free, used, total, withdrawable, elsewhere, is_partial)`;

const amountsOf = (row: string): string =>
  `(coalesce(${row}.free, 0), coalesce(${row}.used, 0), coalesce(${row}.total, 0),
    coalesce(${row}.withdrawable, ${row}.free, 0), coalesce(${row}.elsewhere, '[]'))`;

/**
 * The differences between the reported balances and the stored ones of the wallet with the id `walletId`. A partial
 * balance may be too low, so it only marks a stored one. `is_changed` = the amounts differ.
 */
const differencesOf = (walletId: string): string => `
  select coalesce(answer.asset, stored.asset) as asset, answer.free, answer.used, answer.total, answer.withdrawable,
         answer.elsewhere, answer.is_partial, stored.asset is not null as is_stored,
         (stored.asset is null or answer.is_partial is distinct from true)
           and ${amountsOf('answer')} is distinct from ${amountsOf('stored')} as is_changed
    from (select * from ${ANSWERS} where wallet_id = ${walletId}) as answer
         full join (select * from wallet_balances where wallet_id = ${walletId}) as stored
                on stored.asset = answer.asset
   where case when answer.is_partial and stored.asset is not null then not stored.is_partial
              else (answer.free, answer.used, answer.total, answer.withdrawable, answer.elsewhere, answer.is_partial)
                   is distinct from
                   (stored.free, stored.used, stored.total, stored.withdrawable, stored.elsewhere, stored.is_partial)
         end`;

/**
 * Skips locked wallets instead of waiting for them. The transaction that has locked one of the wallets may itself wait
 * for another one that this statement has locked, which would be a deadlock.
 */
const CONFIRM: NamedStatement = {
  name: 'confirm the balances of wallets',
  text: `with unlocked as (select id from wallets where id = any($9) for no key update skip locked)
    update wallets as w set last_sync_at = seen.asked_at, next_sync_at = seen.next_sync_at, sync_failures = 0
      from unnest($9::uuid[], $10::timestamptz[], $11::timestamptz[], $12::timestamptz[], $13::timestamptz[])
             as seen (id, asked_at, next_sync_at, updated_at, last_sync_at)
     where w.id = seen.id and w.id in (select id from unlocked) and w.deleted_at is null
       and w.updated_at = seen.updated_at and w.last_sync_at is not distinct from seen.last_sync_at
       and not exists (${differencesOf('w.id')})
    returning w.id`,
};

/** Stores the balances that exchanges report. It writes only the differences, and most of the time there are none. */
@Injectable()
export class BalanceStore {
  constructor(
    private readonly db: Database,
    private readonly events: Events,
    private readonly wallets: Wallets,
    private readonly flag: InvalidApiFlag,
    private readonly clock: Clock,
    private readonly databaseClock: DatabaseClock,
    private readonly config: Config,
  ) {}

  /**
   * Stores the balances, unless the response to a later request is stored already. If the credentials were replaced
   * after the request, nothing is stored either, because the balances may be those of another account. A host whose
   * clock differs from the database's stores nothing, because a time in the future would postpone the next sync.
   * @returns whether the stored balances have changed.
   * @throws WalletNotFound when the wallet was deleted.
   */
  async record(reported: ReportedBalances): Promise<boolean> {
    if (!(await this.isHostSteady())) return false;
    const confirmed = await this.confirm([reported]);
    return confirmed.size === 0 && (await this.recordUnconfirmed(reported));
  }

  /**
   * Stores the balances of one wallet in a transaction, under the conditions and with the result of `record`. Called
   * for a wallet whose id `confirm` has not returned.
   */
  async recordUnconfirmed(reported: ReportedBalances): Promise<boolean> {
    const { target, askedAt } = reported;
    return this.db.transaction(async (tx) => {
      const wallet = await this.lock(tx, target.walletId);
      if (wallet.version !== target.version) return false;
      if (this.isLater(wallet.last_sync_at, askedAt)) return false;
      await this.db.query(
        `update wallets set last_sync_at = $2, next_sync_at = $3, sync_failures = 0 where id = $1`,
        [target.walletId, askedAt, this.nextSyncAt(target)],
        tx,
      );
      // An access token may still be valid after its grant has ended. The flag then stays, because the account must be
      // connected again.
      if (!wallet.grant_ended) await this.flag.clear(tx, target.walletId);
      const assets = await this.storeDifferences(tx, reported);
      if (assets.length === 0) return false;
      const { project_id: projectId, external_id: externalWalletId, exchange } = wallet;
      const data = { walletId: externalWalletId, exchange, lastSyncAt: askedAt.toISOString(), assets };
      await this.events.record(tx, [{ projectId, type: 'wallet.balance.updated', subject: externalWalletId, data }]);
      return true;
    });
  }

  /**
   * Updates several unchanged wallets in one statement. A wallet is unchanged when the reported balances equal the
   * stored ones and its row has not changed since it was read before the request. The comparison needs no lock, because
   * every other writer (of balances, credentials or the flag) changes `updated_at` or `last_sync_at`.
   * @returns the ids of the unchanged wallets. The caller stores the balances of the others with `recordUnconfirmed`.
   */
  async confirm(reported: readonly ReportedBalances[]): Promise<Set<string>> {
    const usual = reported.filter(
      ({ target: { seen }, askedAt }) => !seen.invalidApi && (seen.lastSyncAt === null || seen.lastSyncAt <= askedAt),
    );
    if (usual.length === 0) return new Set();
    const confirmed = await this.db.read<{ id: string }>(CONFIRM, [
      ...columnsOf(usual),
      usual.map(({ target }) => target.walletId),
      usual.map(({ askedAt }) => askedAt),
      usual.map(({ target }) => this.nextSyncAt(target)),
      usual.map(({ target }) => target.seen.updatedAt),
      usual.map(({ target }) => target.seen.lastSyncAt),
    ]);
    return new Set(confirmed.map(({ id }) => id));
  }

  private async isHostSteady(): Promise<boolean> {
    try {
      await this.databaseClock.requireSteadyHost();
      return true;
    } catch (error) {
      if (error instanceof HostClockDiffers || error instanceof DatabaseTooSlow) return false;
      throw error;
    }
  }

  /**
   * Whether the stored balances were asked for after `askedAt`. A stored time in the future comes from a wrong clock,
   * so it does not count as later.
   */
  private isLater(lastSyncAt: Date | null, askedAt: Date): boolean {
    if (lastSyncAt === null || lastSyncAt <= askedAt) return false;
    return lastSyncAt.getTime() <= this.clock.now().getTime() + CLOCK_ERROR_MS;
  }

  private async lock(tx: EntityManager, walletId: string): Promise<LockedWallet> {
    await this.wallets.lockConnected(tx, walletId);
    // The credentials are read after the lock was granted: the connect that held the lock before may have replaced
    // them.
    const [wallet] = await this.db.query<LockedWallet>(
      `select w.project_id, w.external_id, w.exchange, w.last_sync_at, c.sealed->>'id' as version,
              g.ended_at is not null as grant_ended
         from wallets w left join wallet_credentials c on c.wallet_id = w.id
              left join wallet_grants g on g.wallet_id = w.id
        where w.id = $1`,
      [walletId],
      tx,
    );
    if (wallet === undefined) throw new WalletNotFound();
    return wallet;
  }

  /** @returns the assets whose amounts differed. */
  private async storeDifferences(tx: EntityManager, reported: ReportedBalances): Promise<string[]> {
    const rows = await this.db.query<{ asset: string }>(
      `with differences as (${differencesOf('$9')}),
            gone as (delete from wallet_balances b using differences d
                      where b.wallet_id = $9 and b.asset = d.asset and d.total is null),
            marked as (update wallet_balances b set is_partial = true from differences d
                        where b.wallet_id = $9 and b.asset = d.asset and d.is_partial and d.is_stored),
            stored as (insert into wallet_balances
                         (wallet_id, asset, free, used, total, withdrawable, elsewhere, is_partial)
                       select $9, asset, free, used, total, withdrawable, elsewhere, is_partial
                         from differences where total is not null and not (is_partial and is_stored)
                       on conflict (wallet_id, asset)
                       do update set free = excluded.free, used = excluded.used, total = excluded.total,
                                     withdrawable = excluded.withdrawable, elsewhere = excluded.elsewhere,
                                     is_partial = excluded.is_partial)
       select asset from differences where is_changed order by asset`,
      [...columnsOf([reported]), reported.target.walletId],
      tx,
    );
    return rows.map(({ asset }) => asset);
  }

  private nextSyncAt({ walletId, seen }: Pick<WalletTarget, 'walletId' | 'seen'>): Date {
    const periodMs = this.config.values.WALLET_SYNC_SECONDS * 1_000;
    return nextSyncAfter({ walletId, now: this.clock.now(), lastSyncAt: seen.lastSyncAt, periodMs });
  }
}

function toStoredAmount({ account, kind, amount }: AccountAmount): StoredAmount {
  return { account, kind, amount: amount.toString() };
}

/** Returns the parameters $1 to $8 of `ANSWERS`, one array for each column. */
function columnsOf(reported: readonly ReportedBalances[]): (string | boolean | null)[][] {
  const balances = reported.flatMap((each) => each.balances);
  return [
    reported.flatMap((each) => each.balances.map(() => each.target.walletId)),
    balances.map(({ asset }) => asset),
    balances.map(({ free }) => free.toString()),
    balances.map(({ used }) => used.toString()),
    balances.map(({ total }) => total.toString()),
    balances.map(({ withdrawable }) => withdrawable?.toString() ?? null),
    balances.map(({ elsewhere = [] }) => toStorableJson(elsewhere.map(toStoredAmount))),
    balances.map(({ isPartial = false }) => isPartial),
  ];
}
