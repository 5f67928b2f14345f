import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '#platform/clock';
import { Database } from '#platform/database';
import { RepeatedLines } from '#platform/errors';
import { Events } from '#platform/events';
import { LOGGER, type Logger } from '#platform/logging';
import { eraseWallet, isHeld } from '../deleting/erase-wallet.js';
import type { WalletTarget } from '../credentials/wallet-credentials.service.js';
import { CredentialRefusals, type StoredRefusals } from './credential-refusals.js';
import { RefusalMetrics } from './refusal.metrics.js';
import { deletionAt, isDeletedAtOnce, refusedInCall, type RefusalProof, type RefusalSeries } from './refusal-rules.js';
import { InvalidApiFlag } from '../wallets/invalid-api-flag.js';

/** What became of a wallet whose credentials were refused. */
export interface RecordedRefusal {
  walletDeleted: boolean;
  /** When the wallet is to be deleted at the earliest; null = it is not to be, or it is gone. */
  deletionAt: Date | null;
}

/** Refusals that change nothing: the wallet is marked, and its owner calls again. */
const unchanged = new RepeatedLines();

type Tested = Pick<WalletTarget, 'walletId' | 'version' | 'revision' | 'exchange' | 'mode'>;

/** Marks or deletes a wallet whose credentials were refused in two signed calls. The only code that deletes one for it. */
@Injectable()
export class RecordRefusal {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly events: Events,
    private readonly refusals: CredentialRefusals,
    private readonly mark: InvalidApiFlag,
    private readonly metrics: RefusalMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Records the refusal of a call. Deletes the wallet when `autoDelete`, the proof is enough to do so at once, and nothing
   * holds the credentials; else marks it and leaves the rest to the worker. Does nothing when the credentials were replaced
   * or renewed since they were tested.
   */
  async execute(tested: Tested, proof: RefusalProof, options: { autoDelete: boolean }): Promise<RecordedRefusal> {
    const refusal = { proof, isDeletionWanted: options.autoDelete, at: await this.refusals.now() };
    const { change, ...recorded } = await this.db.transaction((tx) => this.record(tx, tested, refusal));
    if (change === 'marked') this.metrics.marked(tested.exchange);
    if (change === 'erased') this.metrics.deleted(tested.exchange, 'request');
    const again = change === null ? unchanged.count(`${tested.exchange} ${proof}`) : 0;
    const facts = { wallet: tested.walletId, exchange: tested.exchange, proof, change, ...recorded, again };
    if (again !== null) this.logger.warn(facts, 'the exchange refused the credentials of a wallet, twice');
    return recorded;
  }

  /**
   * Records the refusal of a check by the worker.
   * @param before the row as of before the check. When it is another one by now, a success or another worker came between:
   *   then nothing is recorded.
   * @param isDue whether the wallet is to be deleted, unless something holds its credentials.
   */
  async again(
    tested: Tested,
    before: StoredRefusals,
    { series, isDue }: { series: RefusalSeries; isDue: boolean },
  ): Promise<'deleted' | 'refused' | 'overtaken'> {
    const outcome = await this.db.transaction(async (tx) => {
      if (!(await this.lock(tx, tested.walletId)) || !(await this.isCurrent(tx, tested))) return 'overtaken';
      const current = await this.refusals.findLocked(tx, tested.walletId);
      if (current === null || !isSame(current, before)) return 'overtaken';
      if (isDue && (await this.erase(tx, tested.walletId))) return 'deleted';
      const { isDeletionWanted } = current;
      await this.refusals.put(tx, { ...before, ...series, isDeletionWanted });
      return 'refused';
    });
    if (outcome === 'deleted') {
      this.metrics.deleted(tested.exchange, 'recheck');
      this.logger.warn({ wallet: tested.walletId, ...series }, 'a wallet with refused credentials was deleted');
    }
    return outcome;
  }

  private async record(
    tx: EntityManager,
    tested: Tested,
    refusal: { proof: RefusalProof; isDeletionWanted: boolean; at: Date | null },
  ): Promise<RecordedRefusal & { change: 'marked' | 'erased' | null }> {
    const { walletId, version, mode } = tested;
    if (!(await this.lock(tx, walletId))) return { walletDeleted: true, deletionAt: null, change: null };
    if (!(await this.isCurrent(tx, tested))) return { walletDeleted: false, deletionAt: null, change: null };
    const isAtOnce = isDeletedAtOnce(refusal.proof, mode);
    if (refusal.isDeletionWanted && isAtOnce && (await this.erase(tx, walletId))) {
      return { walletDeleted: true, deletionAt: null, change: 'erased' };
    }
    await this.mark.set(tx, walletId);
    const known = await this.refusals.findLocked(tx, walletId);
    const times = this.refusals.times();
    const series = refusedInCall(known?.version === version ? known : null, refusal, times);
    await this.refusals.put(tx, { ...series, walletId, version });
    const plannedAt = deletionAt(series, { ...times, isAtOnce });
    return { walletDeleted: false, deletionAt: plannedAt, change: known === null ? 'marked' : null };
  }

  /** @returns false when something holds the credentials: then nothing happens. */
  private async erase(tx: EntityManager, walletId: string): Promise<boolean> {
    if (await isHeld(this.db, tx, walletId)) return false;
    const { db, events } = this;
    const now = this.clock.now();
    await eraseWallet({ db, events }, tx, walletId, { now, keepUntil: now, reason: 'credentials_invalid' });
    return true;
  }

  /** Locks the wallet; false when it is deleted. */
  private async lock(tx: EntityManager, walletId: string): Promise<boolean> {
    const connected = await this.db.query(
      `select from wallets where id = $1 and deleted_at is null for no key update`,
      [walletId],
      tx,
    );
    return connected.length > 0;
  }

  /** Read after the lock was granted: a connect that held it may have replaced the credentials. */
  private async isCurrent(tx: EntityManager, { walletId, version, revision }: Tested): Promise<boolean> {
    const current = await this.db.query(
      `select from wallet_credentials
        where wallet_id = $1 and sealed->>'id' = $2 and sealed->>'revision' is not distinct from $3`,
      [walletId, version, revision],
      tx,
    );
    return current.length > 0;
  }
}

function isSame(one: StoredRefusals, other: StoredRefusals): boolean {
  return (
    one.version === other.version &&
    one.checks === other.checks &&
    one.refusals === other.refusals &&
    one.refusedSince?.getTime() === other.refusedSince?.getTime()
  );
}
