import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '#platform/clock';
import { Database } from '#platform/database';
import { Events } from '#platform/events';
import { LOGGER, logRepeated, type Logger } from '#platform/logging';
import { eraseWallet, isHeld } from '../deleting/erase-wallet.js';
import type { WalletTarget } from '../credentials/wallet-credentials.service.js';
import { CredentialRefusals, type StoredRefusals } from './credential-refusals.js';
import { RefusalMetrics } from './refusal.metrics.js';
import { deletionAt, isDeletedAtOnce, refusedInCall, type RefusalProof, type RefusalSeries } from './refusal-rules.js';
import { InvalidApiFlag } from '../wallets/invalid-api-flag.js';
import { Wallets } from '../wallets/wallets.service.js';

/** The result for a wallet whose credentials were refused. */
export interface RecordedRefusal {
  walletDeleted: boolean;
  /** The earliest time of the planned deletion; null = none is planned, or the wallet is deleted. */
  deletionAt: Date | null;
}

type Tested = Pick<WalletTarget, 'walletId' | 'version' | 'revision' | 'exchange' | 'mode'>;

/**
 * Flags or deletes a wallet whose credentials were refused in two signed calls. No other code deletes a wallet for this
 * reason.
 */
@Injectable()
export class RecordRefusal {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly events: Events,
    private readonly refusals: CredentialRefusals,
    private readonly wallets: Wallets,
    private readonly flag: InvalidApiFlag,
    private readonly metrics: RefusalMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Records the refusal of a call. Deletes the wallet when `autoDelete` is set, the proof suffices for an immediate
   * deletion, and nothing holds the credentials. Otherwise flags the wallet, and the worker checks the credentials
   * again. Does nothing when the credentials were replaced or renewed since the call.
   */
  async execute(tested: Tested, proof: RefusalProof, options: { autoDelete: boolean }): Promise<RecordedRefusal> {
    const refusal = { proof, isDeletionWanted: options.autoDelete, at: await this.refusals.now() };
    const { change, ...recorded } = await this.db.transaction((tx) => this.record(tx, tested, refusal));
    if (change === 'flagged') this.metrics.flagged(tested.exchange);
    if (change === 'erased') this.metrics.deleted(tested.exchange, 'request');
    const message = 'the exchange refused the credentials of a wallet in two calls';
    const facts = { wallet: tested.walletId, exchange: tested.exchange, proof, change, ...recorded };
    if (change !== null) this.logger.warn(facts, message);
    // The owner of a flagged wallet may call again and again, so repeated lines are counted and not written.
    else logRepeated(this.logger, 'warn', { message, cause: `${tested.exchange} ${proof}`, facts });
    return recorded;
  }

  /**
   * Records the refusal of a check by the worker.
   * @param before the row as it was read before the check. Nothing is recorded when a successful call or another worker
   *   has changed the row since then.
   * @param isDue true: deletes the wallet, unless an unsettled withdrawal or order holds its credentials.
   */
  async again(
    tested: Tested,
    before: StoredRefusals,
    { series, isDue }: { series: RefusalSeries; isDue: boolean },
  ): Promise<'deleted' | 'refused' | 'overtaken'> {
    const outcome = await this.db.transaction(async (tx) => {
      if (!(await this.wallets.lockIfConnected(tx, tested.walletId)) || !(await this.isCurrent(tx, tested)))
        return 'overtaken';
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
  ): Promise<RecordedRefusal & { change: 'flagged' | 'erased' | null }> {
    const { walletId, version, mode } = tested;
    if (!(await this.wallets.lockIfConnected(tx, walletId)))
      return { walletDeleted: true, deletionAt: null, change: null };
    if (!(await this.isCurrent(tx, tested))) return { walletDeleted: false, deletionAt: null, change: null };
    const isAtOnce = isDeletedAtOnce(refusal.proof, mode);
    if (refusal.isDeletionWanted && isAtOnce && (await this.erase(tx, walletId))) {
      return { walletDeleted: true, deletionAt: null, change: 'erased' };
    }
    await this.flag.set(tx, walletId);
    const known = await this.refusals.findLocked(tx, walletId);
    const times = this.refusals.times();
    const series = refusedInCall(known?.version === version ? known : null, refusal, times);
    await this.refusals.put(tx, { ...series, walletId, version });
    const plannedAt = deletionAt(series, { ...times, isAtOnce });
    return { walletDeleted: false, deletionAt: plannedAt, change: known === null ? 'flagged' : null };
  }

  /** @returns false when a hold needs the credentials; the wallet is not erased then. */
  private async erase(tx: EntityManager, walletId: string): Promise<boolean> {
    if (await isHeld(this.db, tx, walletId)) return false;
    const { db, events } = this;
    const now = this.clock.now();
    await eraseWallet({ db, events }, tx, walletId, { now, keepUntil: now, reason: 'credentials_invalid' });
    return true;
  }

  /**
   * Whether the tested credentials are the current ones. Call it after the wallet was locked, because the connect that
   * held the lock before may have replaced the credentials.
   */
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
