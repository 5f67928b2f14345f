import { Inject, Injectable } from '@nestjs/common';
import { Config } from '#platform/config';
import { LOGGER, type Logger } from '#platform/logging';
import { WalletSessions } from '#wallet';
import { RestoredDatabase } from '../epoch/restored-database.js';
import { ProveAbsence } from './prove-absence.js';
import { Settlement, type SettlementParts } from './settlement.js';
import { RecordCorrections } from '../withdrawals/record-corrections.js';
import { WithdrawalTransitions } from '../withdrawals/withdrawal-transitions.js';
import { WithdrawalStore } from '../withdrawals/withdrawal-store.js';
import { WithdrawalTime } from '../quote/withdrawal-time.js';

/**
 * Settles one withdrawal from the exchange's history, after a crash, an unknown outcome or an expiry. Several workers
 * may settle the same withdrawal at once, because settling never sends anything.
 */
@Injectable()
export class ReconcileWithdrawal {
  private readonly parts: SettlementParts;

  constructor(
    store: WithdrawalStore,
    transitions: WithdrawalTransitions,
    corrections: RecordCorrections,
    sessions: WalletSessions,
    absence: ProveAbsence,
    restored: RestoredDatabase,
    private readonly time: WithdrawalTime,
    config: Config,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.parts = { store, transitions, corrections, sessions, absence, restored, config, logger };
  }

  /** @throws HostClockRefused when the clock of this host is wrong; then nothing is changed. */
  async execute(withdrawalId: string): Promise<void> {
    await new Settlement(this.parts, await this.time.read()).run(withdrawalId);
  }
}
