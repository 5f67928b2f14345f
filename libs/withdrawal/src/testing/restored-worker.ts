import { CompareWallet } from '../comparing/compare-wallet.js';
import { EpochChecks } from '../epoch/epoch-checks.js';
import { RestoredDatabase } from '../epoch/restored-database.js';
import type { WithdrawalHarness } from './withdrawal-harness.js';

const MINUTE_MS = 60_000;
/** The default of WITHDRAWAL_ABSENCE_MS. */
export const SETTLE_MS = 10 * MINUTE_MS;

/**
 * Runs a worker's tasks `rounds` times, `everyMs` apart: it detects a restore of the database, reconciles and compares
 * wallets.
 */
export async function workAfterRestore(harness: WithdrawalHarness, rounds: number, everyMs = MINUTE_MS): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    await harness.get(RestoredDatabase).detect();
    await harness.work(1, 0);
    for (const id of await harness.get(EpochChecks).takeDue(harness.clock.now()))
      await harness.get(CompareWallet).execute(id);
    harness.clock.advance(everyMs);
  }
}

/** Lets the worker detect the restore and compare every wallet that it can. */
export async function recover(harness: WithdrawalHarness): Promise<void> {
  await workAfterRestore(harness, 1 + SETTLE_MS / MINUTE_MS + 1);
}
