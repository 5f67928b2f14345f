import { Injectable } from '@nestjs/common';
import { ExchangeError } from '#exchange';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { ExchangePauses } from '../failures/exchange-pauses.js';
import { WalletCredentials, type WalletTarget } from '../credentials/wallet-credentials.service.js';
import { WalletNotFound } from '../wallets/wallet.errors.js';
import { CredentialRefusals, type StoredRefusals } from './credential-refusals.js';
import { JudgeRefusal } from './judge-refusal.js';
import { OtherKeys } from './other-keys.js';
import { RecordRefusal } from './record-refusal.js';
import { RecordValidCredentials } from './record-valid-credentials.js';
import { RefusalMetrics, type RecheckOutcome } from './refusal.metrics.js';
import {
  afterCheck,
  hasLasted,
  isDeletedAtOnce,
  refusedInCheck,
  type RefusalProof,
  type RefusalSeries,
  type RefusalTimes,
} from './refusal-rules.js';

/**
 * Tests refused credentials again. It clears the flag of the wallet when they are accepted, and deletes the wallet when
 * they were refused for long enough. Repeated runs do no harm.
 */
@Injectable()
export class RecheckWallet {
  constructor(
    private readonly credentials: WalletCredentials,
    private readonly judgeRefusal: JudgeRefusal,
    private readonly recordRefusal: RecordRefusal,
    private readonly recordValid: RecordValidCredentials,
    private readonly refusals: CredentialRefusals,
    private readonly otherKeys: OtherKeys,
    private readonly pauses: ExchangePauses,
    private readonly metrics: RefusalMetrics,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  async execute(walletId: string): Promise<void> {
    const refusals = await this.refusals.find(walletId);
    // The flag was cleared, or another worker has checked, after this job was queued.
    if (refusals === null || refusals.nextCheckAt > this.leaseEnd()) return;
    try {
      const target = await this.credentials.target(walletId, { deletedToo: false });
      if (target.version !== refusals.version) return await this.refusals.remove(refusals);
      this.metrics.rechecked(target.exchange, await this.check(target, refusals));
    } catch (error) {
      // The wallet was deleted after this job was queued.
      if (error instanceof WalletNotFound) return;
      await this.putOff(refusals);
      throw error;
    }
  }

  private async check(target: WalletTarget, refusals: StoredRefusals): Promise<RecheckOutcome> {
    if (!this.pauses.admits(target)) {
      await this.putOff(refusals);
      return 'paused';
    }
    try {
      const answer = await this.judgeRefusal.ask(target);
      this.pauses.answered(target);
      if (answer.isRefused) return await this.refused(answer.target, answer.proof, refusals);
      await this.recordValid.execute(answer.target);
      // Has an effect only when the flag is still set, for example because the grant has ended. Clearing the flag
      // deletes the row.
      await this.putOff(refusals);
      return 'valid';
    } catch (error) {
      if (!(error instanceof ExchangeError)) throw error;
      this.pauses.failed(target, error);
      await this.putOff(refusals);
      return error.kind;
    }
  }

  private async refused(target: WalletTarget, proof: RefusalProof, before: StoredRefusals): Promise<RecheckOutcome> {
    const now = await this.refusals.now();
    if (now === null) {
      await this.putOff(before);
      return 'clock_differs';
    }
    const times = this.refusals.times(now);
    const series = refusedInCheck(before, proof, times);
    const isAtOnce = isDeletedAtOnce(proof, target.mode);
    if (!before.isDeletionWanted) return this.recordRefusal.again(target, before, { series, isDue: false });
    if (isAtOnce) return this.recordRefusal.again(target, before, { series, isDue: true });
    const isDue = await this.isDue(target, before, { series, times });
    if (!isDue) await this.otherKeys.askSoon(target);
    return this.recordRefusal.again(target, before, { series, isDue });
  }

  /**
   * Whether the refusals have lasted long enough for a deletion. Compares with other keys only when the duration and
   * the number of the refusals could suffice.
   */
  private async isDue(
    target: WalletTarget,
    before: StoredRefusals,
    { series, times }: { series: RefusalSeries; times: RefusalTimes },
  ): Promise<boolean> {
    if (!hasLasted(series, { ...times, otherKeys: 'accepted' })) return false;
    const otherKeys = await this.otherKeys.judge(target, before, times);
    return hasLasted(series, { ...times, otherKeys });
  }

  private async putOff(refusals: StoredRefusals): Promise<void> {
    await this.refusals.postpone(refusals, afterCheck(refusals, this.refusals.times()));
  }

  /**
   * Returns the latest due time that a worker can have set when it took the wallet. The clock of that worker may be one
   * lease ahead of ours.
   */
  private leaseEnd(): Date {
    return new Date(this.clock.now().getTime() + 2 * this.config.constants.QUEUE_LEASE_MS);
  }
}
