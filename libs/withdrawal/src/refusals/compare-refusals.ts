import { Inject, Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import type { HistoryRecord, ListedWithdrawal } from '#exchange';
import { Config } from '#platform/config';
import { acrossProjects, Database, runForProject } from '#platform/database';
import { LOGGER, type Logger } from '#platform/logging';
import { HistoryWatchers, type HistoryWatcher, type WatchedWallet } from '#transaction';
import { WithdrawalTime } from '../quote/withdrawal-time.js';
import { findDuplicate } from '../withdrawals/duplicate-keys.js';
import { hasMoved, isAlike } from '../withdrawals/exchange-records.js';
import { WithdrawalAttempt } from '../withdrawals/withdrawal-attempt.entity.js';
import { Withdrawal } from '../withdrawals/withdrawal.entity.js';
import { refusedOutcomes, reopenableStates, ReopenWithdrawal } from './reopen-withdrawal.js';

/** Longest time from the claim of a withdrawal to its last attempt. */
const QUOTE_LIFE_MAX_MS = 86_400_000;

/** A withdrawal in an exchange's history, whichever reading has shown it. */
export type ShownWithdrawal = Pick<
  ListedWithdrawal,
  'exchangeId' | 'status' | 'clientRef' | 'asset' | 'address' | 'amountNoFee' | 'fee' | 'at'
>;

/** A withdrawal that was refused or not executed, as far as is known, and its attempts, the newest first. */
interface Refused {
  withdrawal: Withdrawal;
  attempts: WithdrawalAttempt[];
}

/**
 * Compares the records that an exchange shows with withdrawals that it has refused, and with those that were proven
 * absent. A record that belongs to one of them disproves the refusal. The withdrawal then goes to an operator, and
 * equal withdrawals are stopped. A record belongs to a withdrawal if it has the withdrawal's reference. A record
 * without a reference of ours belongs to it if it has the same terms and was made while the withdrawal could be sent.
 */
@Injectable()
export class CompareRefusals implements HistoryWatcher {
  constructor(
    private readonly db: Database,
    private readonly reopening: ReopenWithdrawal,
    private readonly time: WithdrawalTime,
    private readonly config: Config,
    watchers: HistoryWatchers,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    watchers.add(this);
  }

  appeared({ id }: WatchedWallet, records: readonly HistoryRecord[]): Promise<void> {
    return this.compare(id, records.map(toShown));
  }

  /** @param records of the account of this wallet */
  async compare(walletId: string, records: readonly ShownWithdrawal[]): Promise<void> {
    const moved = records.filter(hasMoved);
    if (moved.length === 0) return;
    const named = await this.findNamed(walletId, moved);
    for (const record of moved) {
      const own = named.find(({ clientRef }) => clientRef === record.clientRef);
      // The withdrawal may be of another project.
      if (own !== undefined) await runForProject(own.projectId, () => this.reopen(own, record));
    }
    await this.compareTerms(
      walletId,
      moved.filter(({ clientRef }) => clientRef === null || named.every((own) => own.clientRef !== clientRef)),
    );
  }

  /** Compares records that name no withdrawal of ours. A record that is linked to a withdrawal belongs to that one. */
  private async compareTerms(walletId: string, records: readonly ShownWithdrawal[]): Promise<void> {
    const refused = await this.findRefused(walletId, records);
    if (refused.length === 0) return;
    const linked = await this.findLinked(walletId, records);
    for (const record of records.filter(({ exchangeId }) => !linked.has(exchangeId))) {
      for (const { withdrawal, attempts } of refused) {
        const attempt = attempts.find((each) => this.mayBe(record, withdrawal, each));
        // While an equal withdrawal is unresolved, the record may be that one's. It is compared again later.
        if (attempt === undefined || (await findDuplicate(this.db, attempt)) !== null) continue;
        await this.dispute(withdrawal, attempt, record);
      }
    }
  }

  private mayBe(record: ShownWithdrawal, withdrawal: Withdrawal, attempt: WithdrawalAttempt): boolean {
    if (record.asset !== withdrawal.asset || !isAlike(withdrawal, record)) return false;
    if (attempt.knownIds.includes(record.exchangeId)) return false;
    const { WITHDRAWAL_CLOCK_SKEW_MS: skewMs } = this.config.constants;
    const at = record.at.getTime();
    return at >= attempt.startedAt.getTime() - skewMs && at <= attempt.leaseUntil.getTime() + skewMs;
  }

  private async reopen(withdrawal: Withdrawal, record: ShownWithdrawal): Promise<void> {
    if (withdrawal.exchangeId !== null || !reopenableStates.includes(withdrawal.state)) return;
    const [refused] = await this.withAttempts([withdrawal]);
    const [attempt] = refused?.attempts ?? [];
    if (attempt !== undefined) await this.dispute(withdrawal, attempt, record);
  }

  private async dispute(
    withdrawal: Withdrawal,
    attempt: WithdrawalAttempt,
    { exchangeId }: ShownWithdrawal,
  ): Promise<void> {
    const now = (await this.time.read()).now();
    if (!(await this.reopening.execute(withdrawal, attempt, exchangeId, now))) return;
    const { id: withdrawalId, exchange, state } = withdrawal;
    this.logger.error(
      { withdrawalId, exchange, state, exchangeId },
      'the exchange shows a withdrawal that it has refused; an operator must decide',
    );
  }

  /** Finds the withdrawals whose references the records show. Another wallet may be the same account. */
  private findNamed(walletId: string, records: readonly ShownWithdrawal[]): Promise<Withdrawal[]> {
    const references = records.flatMap(({ clientRef }) => (clientRef === null ? [] : [clientRef]));
    if (references.length === 0) return Promise.resolve([]);
    return acrossProjects(() =>
      this.db
        .repository(Withdrawal)
        .createQueryBuilder('w')
        .where('w.client_ref = any(:references)', { references })
        .andWhere(`(w.mode, w.exchange) in ${ACCOUNT}`, { walletId })
        .getMany(),
    );
  }

  private async findRefused(walletId: string, records: readonly ShownWithdrawal[]): Promise<Refused[]> {
    if (records.length === 0) return [];
    const times = records.map(({ at }) => at.getTime());
    const { WITHDRAWAL_CLOCK_SKEW_MS: skewMs } = this.config.constants;
    const earliest = Math.min(...times) - skewMs - this.config.constants.WITHDRAWAL_LEASE_MS - QUOTE_LIFE_MAX_MS;
    const found = await this.db
      .repository(Withdrawal)
      .createQueryBuilder('w')
      .where(
        `w.wallet_id in (select o.id from wallets o join wallets own on (o.project_id, o.external_id) =
           (own.project_id, own.external_id) where own.id = :walletId)`,
        { walletId },
      )
      .andWhere('w.created_at between :earliest and :latest', {
        earliest: new Date(earliest),
        latest: new Date(Math.max(...times) + skewMs),
      })
      .andWhere('w.exchange_id is null and w.asset = any(:assets) and w.state = any(:states)', {
        assets: records.map(({ asset }) => asset),
        states: reopenableStates,
      })
      .andWhere(`(w.mode, w.exchange) in ${ACCOUNT}`)
      .getMany();
    return this.withAttempts(found);
  }

  /** Leaves out withdrawals of which nothing was sent. */
  private async withAttempts(withdrawals: Withdrawal[]): Promise<Refused[]> {
    if (withdrawals.length === 0) return [];
    const attempts = await this.db.repository(WithdrawalAttempt).find({
      where: { withdrawalId: In(withdrawals.map(({ id }) => id)), outcome: In(refusedOutcomes) },
      order: { startedAt: 'desc' },
    });
    const wasSent = ({ outcome, sentAt }: WithdrawalAttempt): boolean => outcome !== 'not_sent' || sentAt !== null;
    return withdrawals
      .map((withdrawal) => ({
        withdrawal,
        attempts: attempts.filter((each) => each.withdrawalId === withdrawal.id && wasSent(each)),
      }))
      .filter((refused) => refused.attempts.length > 0);
  }

  private async findLinked(walletId: string, records: readonly ShownWithdrawal[]): Promise<ReadonlySet<string>> {
    const rows = await acrossProjects(() =>
      this.db.query<{ exchange_id: string }>(
        `select w.exchange_id from withdrawals w
         where (w.mode, w.exchange) in (select p.mode, own.exchange from wallets own join projects p on p.id = own.project_id
           where own.id = $1) and w.exchange_id = any($2)`,
        [walletId, records.map(({ exchangeId }) => exchangeId)],
      ),
    );
    return new Set(rows.map(({ exchange_id: exchangeId }) => exchangeId));
  }
}

/** The mode and the exchange of a wallet. */
const ACCOUNT = `(select p.mode, own.exchange from wallets own join projects p on p.id = own.project_id
  where own.id = :walletId)`;

function toShown({ status, clientRef, amount: amountNoFee, ...record }: HistoryRecord): ShownWithdrawal {
  return { ...record, status: status === 'ok' ? 'completed' : status, clientRef: clientRef ?? null, amountNoFee };
}
