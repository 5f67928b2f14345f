import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Audit, Projects } from '#access';
import { Clock } from '#platform/clock';
import { Database } from '#platform/database';
import { NotFound, ValidationFailed } from '#platform/errors';
import { LOGGER, type Logger } from '#platform/logging';
import { WithdrawalStore } from '../execution/withdrawal-store.js';
import type { Withdrawal } from '../execution/withdrawal.entity.js';
import { ExchangeHistory, type HistoryAnswer } from './exchange-history.js';
import { DecisionRefused, LinkedToAnother, NotInReview } from './operator.errors.js';
import { OperatorTransitions } from './operator-transitions.js';
import { UnmatchedRecords, type UnmatchedRecord } from './unmatched-records.js';

export const operatorOutcomes = ['submitted', 'completed', 'failed'] as const;
/** `completed` only where nobody can follow the withdrawal any more. */
export type OperatorOutcome = (typeof operatorOutcomes)[number];

export interface SettleInput {
  /** Of a withdrawal in review, or of an unmatched record. */
  id: string;
  /** Who decides, for the audit log. */
  operator: string;
  /** null for an unmatched record: that it was looked at is all there is to say. */
  outcome: OperatorOutcome | null;
  /** The exchange's own id, where money has left. */
  exchangeId: string | null;
  /** What was found out. Needed where nothing has left, and for an unmatched record. */
  reason: string | null;
  /** The operator has made sure at the exchange that no money has left. */
  isNonExecutionConfirmed: boolean;
  /** Ids of records of the exchange that fit and are something else: where nothing has left, each must be named. */
  unrelated: readonly string[];
}

const LENGTH_MAX = 500;

/** An operator's decision about what the exchange's history alone cannot tell. */
@Injectable()
export class SettleWithdrawal {
  constructor(
    private readonly db: Database,
    private readonly store: WithdrawalStore,
    private readonly transitions: OperatorTransitions,
    private readonly unmatchedRecords: UnmatchedRecords,
    private readonly history: ExchangeHistory,
    private readonly projects: Projects,
    private readonly audit: Audit,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * One transaction: the states, the history, the released credentials and the entry in the audit log.
   * @throws NotFound, ValidationFailed, NotInReview, LinkedToAnother
   * @throws DecisionRefused when the decision cannot be right, as far as the exchange tells.
   */
  async execute(input: SettleInput): Promise<void> {
    requireText('by', input.operator);
    if (input.reason !== null) requireText('reason', input.reason);
    if (input.exchangeId !== null) requireText('exchangeId', input.exchangeId);
    for (const id of input.unrelated) requireText('unrelated', id);
    const withdrawal = await this.store.find(input.id);
    if (withdrawal !== null) {
      await this.settle(withdrawal, input);
    } else {
      const record = await this.unmatchedRecords.find(input.id);
      if (record === null) throw new NotFound('Withdrawal');
      await this.settleRecord(record, input);
    }
    this.logger.info({ id: input.id, operator: input.operator, outcome: input.outcome }, 'settled by an operator');
  }

  private async settle(w: Withdrawal, input: SettleInput): Promise<void> {
    if (w.state !== 'review') throw new NotInReview(w.state);
    const { outcome } = input;
    if (outcome === null) throw new ValidationFailed([{ field: 'outcome', message: 'outcome is needed' }]);
    const exchangeId = outcome === 'failed' ? null : exchangeIdOf(w, input);
    const answer = await this.history.ask(w);
    if (exchangeId === null) checkFailure(w, input, answer);
    else checkRecord(w, { outcome, exchangeId, reason: input.reason }, answer);

    const attempt = await this.store.findLiveAttempt(w.id);
    const now = this.clock.now();
    const decision = { state: outcome, exchangeId };
    const settled = await this.transitions.decided(w, attempt, decision, now, async (tx) => {
      // First, because it lets one decision of the organization after the other pass.
      await this.record(tx, w, 'withdrawal.settled', {
        operator: input.operator,
        details: {
          outcome,
          exchangeId,
          reason: input.reason,
          unrelated: input.unrelated.join(',') || null,
          transactionId: w.transactionId,
        },
      });
      if (exchangeId === null) return;
      await this.requireUnlinked(tx, w, exchangeId);
      await this.unmatchedRecords.settleLinked(tx, w.walletId, exchangeId, now);
    });
    if (!settled) throw new NotInReview((await this.store.find(w.id))?.state ?? 'settled');
  }

  private async settleRecord(record: UnmatchedRecord, { operator, outcome, reason }: SettleInput): Promise<void> {
    if (outcome !== null) {
      throw new DecisionRefused(
        'It is an unmatched record: the exchange has it, and there is no outcome to decide; give a reason',
      );
    }
    if (reason === null)
      throw new ValidationFailed([{ field: 'reason', message: 'reason is needed for an unmatched record' }]);
    await this.db.transaction(async (tx) => {
      if (!(await this.unmatchedRecords.settle(tx, record.id, this.clock.now()))) throw new NotInReview('settled');
      const details = { exchange: record.exchange, exchangeId: record.exchangeId, reason };
      await this.record(tx, record, 'unmatched_record.settled', { operator, details });
    });
  }

  private async requireUnlinked(tx: EntityManager, w: Withdrawal, exchangeId: string): Promise<void> {
    const [other] = await this.db.query<{ id: string }>(
      `select id from withdrawals where project_id = $1 and exchange = $2 and exchange_id = $3 and id <> $4`,
      [w.projectId, w.exchange, exchangeId, w.id],
      tx,
    );
    if (other !== undefined) throw new LinkedToAnother(exchangeId, other.id);
  }

  private async record(
    tx: EntityManager,
    { id: subject, projectId }: { id: string; projectId: string },
    action: string,
    { operator: actor, details }: { operator: string; details: Record<string, string | null> },
  ): Promise<void> {
    const { organizationId } = await this.projects.getContext(projectId);
    await this.audit.record(tx, { organizationId, projectId, actor, action, subject, details });
  }
}

function exchangeIdOf(w: Withdrawal, { exchangeId }: SettleInput): string {
  const known = w.exchangeId ?? exchangeId;
  if (known === null) {
    throw new ValidationFailed([{ field: 'exchangeId', message: 'exchangeId is needed: the exchange’s own id of it' }]);
  }
  if (exchangeId !== null && exchangeId !== known) {
    throw new DecisionRefused(`The exchange has already accepted it as ${known}`);
  }
  return known;
}

/** That money has left: the record must be there, where it can be looked for. */
function checkRecord(
  w: Withdrawal,
  { outcome, exchangeId, reason }: { outcome: OperatorOutcome; exchangeId: string; reason: string | null },
  answer: HistoryAnswer,
): void {
  const isErased = answer.kind === 'erased';
  if (outcome === 'submitted' && isErased) {
    throw new DecisionRefused(
      'The credentials of its wallet are erased, so nobody can follow it: completed, or failed',
    );
  }
  if (outcome === 'completed' && !isErased) {
    throw new DecisionRefused('The worker follows it to its end by itself: say submitted');
  }
  if (answer.kind !== 'shown') return;
  const record = answer.records.find((shown) => shown.exchangeId === exchangeId);
  if (record === undefined) {
    throw new DecisionRefused(`The exchange shows no withdrawal ${exchangeId} of ${w.asset} since it was made`);
  }
  if (!record.fits && reason === null) {
    throw new DecisionRefused(`${exchangeId} has another amount or address: say as the reason why it is this one`);
  }
}

/** That no money has left: to say so of money that did is the one thing that must not happen. */
function checkFailure(w: Withdrawal, input: SettleInput, answer: HistoryAnswer): void {
  const { reason, isNonExecutionConfirmed, unrelated } = input;
  if (reason === null) throw new ValidationFailed([{ field: 'reason', message: 'reason is needed' }]);
  if (!isNonExecutionConfirmed) {
    throw new DecisionRefused('Make sure at the exchange that no money has left, and confirm it');
  }
  if (answer.kind === 'unavailable') {
    throw new DecisionRefused(`The exchange cannot be asked now, try again later: ${answer.reason}`);
  }
  if (answer.kind !== 'shown') return;
  const moved = answer.records.filter(({ fits, status }) => fits && status !== 'failed' && status !== 'canceled');
  const own = moved.find(({ exchangeId, clientRef }) => exchangeId === w.exchangeId || clientRef === w.clientRef);
  if (own !== undefined) {
    throw new DecisionRefused(`The exchange shows it as ${own.exchangeId}, ${own.status}: it was executed`);
  }
  const open = moved.map(({ exchangeId }) => exchangeId).filter((id) => !unrelated.includes(id));
  if (open.length > 0) {
    throw new DecisionRefused(`It may be ${open.join(' or ')}: name what is something else as unrelated`);
  }
}

function requireText(field: string, text: string): void {
  if (/^\P{Cc}+$/u.test(text) && text.length <= LENGTH_MAX) return;
  throw new ValidationFailed([{ field, message: `${field} must be 1 to ${LENGTH_MAX} printable characters` }]);
}
