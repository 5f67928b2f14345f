import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Audit, Projects } from '#access';
import { Clock } from '#platform/clock';
import { Database } from '#platform/database';
import { NotFound, ValidationFailed } from '#platform/errors';
import { LOGGER, type Logger } from '#platform/logging';
import { hasMoved, isAlike } from '../withdrawals/exchange-records.js';
import { WithdrawalStore } from '../withdrawals/withdrawal-store.js';
import type { Withdrawal } from '../withdrawals/withdrawal.entity.js';
import { ExchangeHistory, type HistoryAnswer } from './exchange-history.js';
import { DecisionRefused, LinkedToAnother, NotInReview } from './operator.errors.js';
import { OperatorTransitions } from './operator-transitions.js';
import { UnmatchedRecords, type UnmatchedRecord } from './unmatched-records.js';

export const operatorOutcomes = ['submitted', 'completed', 'failed'] as const;
/** `completed` is allowed only when the worker can no longer follow the withdrawal. */
export type OperatorOutcome = (typeof operatorOutcomes)[number];

export interface SettleInput {
  /** Id of a withdrawal in review, or of an unmatched record. */
  id: string;
  /** The operator's name for the audit log. */
  operator: string;
  /** null for an unmatched record, which has no outcome to decide. */
  outcome: OperatorOutcome | null;
  /** The exchange's own id of the withdrawal, when money has left. */
  exchangeId: string | null;
  /**
   * The operator's reason. Required when no money has left, when the record does not fit, and for an unmatched record.
   */
  reason: string | null;
  /** true: the operator has made sure at the exchange that no money has left. */
  isNonExecutionConfirmed: boolean;
  /**
   * Ids of records that match this withdrawal but belong to other ones. A decision that no money has left must name
   * every matching record that has not failed.
   */
  unrelated: readonly string[];
}

/** Maximum number of characters of each text that an operator gives; the audit log keeps them for ever. */
const LENGTH_MAX = 500;

/** Records an operator's decision about a withdrawal that the exchange's history alone cannot settle. */
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
   * Changes the states, the history and the audit log and releases the credentials, in one transaction.
   * @throws NotFound, ValidationFailed, NotInReview, LinkedToAnother
   * @throws DecisionRefused when the exchange's history contradicts the decision.
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
    this.logger.info(
      { id: input.id, operator: input.operator, outcome: input.outcome },
      'an operator settled a withdrawal or an unmatched record',
    );
  }

  private async settle(withdrawal: Withdrawal, input: SettleInput): Promise<void> {
    if (withdrawal.state !== 'review') throw new NotInReview(withdrawal.state);
    const { outcome } = input;
    if (outcome === null)
      throw new ValidationFailed([
        { field: 'outcome', message: 'outcome is required: give --outcome with submitted, completed or failed' },
      ]);
    const attempt = await this.store.findLiveAttempt(withdrawal.id);
    const answer = await this.history.ask(withdrawal);
    const exchangeId =
      outcome === 'failed' ? null : exchangeIdOf(withdrawal, input, attempt !== null && isWrongId(withdrawal, answer));
    if (exchangeId === null) checkFailure(withdrawal, input, answer);
    else checkRecord(withdrawal, { outcome, exchangeId, reason: input.reason }, answer);

    const now = this.clock.now();
    const alongside = async (tx: EntityManager): Promise<void> => {
      // The audit entry is written first, because its lock serializes the decisions of the organization.
      await this.record(tx, withdrawal, 'withdrawal.settled', {
        operator: input.operator,
        details: {
          outcome,
          exchangeId,
          reason: input.reason,
          unrelated: input.unrelated.join(',') || null,
          transactionId: withdrawal.transactionId,
        },
      });
      if (exchangeId === null) return;
      await this.requireUnlinked(tx, withdrawal, exchangeId);
      await this.unmatchedRecords.settleLinked(tx, withdrawal.walletId, exchangeId, now);
    };
    const decision = { state: outcome, exchangeId, now, alongside };
    const settled = await this.transitions.decided(withdrawal, attempt, decision);
    if (!settled) throw new NotInReview((await this.store.find(withdrawal.id))?.state ?? withdrawal.state);
  }

  private async settleRecord(record: UnmatchedRecord, { operator, outcome, reason }: SettleInput): Promise<void> {
    if (outcome !== null) {
      throw new DecisionRefused(
        'This is an unmatched record: the exchange has executed it, so there is no outcome to decide; give --reason without --outcome',
      );
    }
    if (reason === null)
      throw new ValidationFailed([
        { field: 'reason', message: 'reason is required: give --reason with what you have found about the record' },
      ]);
    await this.db.transaction(async (tx) => {
      const details = { exchange: record.exchange, exchangeId: record.exchangeId, reason };
      // The database settles the record only with this entry.
      await this.record(tx, record, 'unmatched_record.settled', { operator, details });
      const isSettled = await this.unmatchedRecords.settle(tx, record.id, this.clock.now());
      if (!isSettled) throw new DecisionRefused('The unmatched record is already settled');
    });
  }

  private async requireUnlinked(tx: EntityManager, withdrawal: Withdrawal, exchangeId: string): Promise<void> {
    const [other] = await this.db.query<{ id: string }>(
      `select id from withdrawals where mode = $1 and exchange = $2 and exchange_id = $3 and id <> $4`,
      [withdrawal.mode, withdrawal.exchange, exchangeId, withdrawal.id],
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
    const { organizationId } = await this.projects.getContext(projectId, tx);
    await this.audit.record(tx, { organizationId, projectId, actor, action, subject, details });
  }
}

/** Whether the exchange shows that the id which it gave for the withdrawal is wrong. */
function isWrongId(withdrawal: Withdrawal, answer: HistoryAnswer): boolean {
  if (answer.kind !== 'shown') return false;
  const named = answer.records.find(({ exchangeId }) => exchangeId === withdrawal.exchangeId);
  return named === undefined ? answer.isComplete : !isAlike(withdrawal, named);
}

/** @param isWrong whether another id than the one that the exchange gave may be linked */
function exchangeIdOf(withdrawal: Withdrawal, { exchangeId, reason }: SettleInput, isWrong: boolean): string {
  const known = withdrawal.exchangeId ?? exchangeId;
  if (known === null) {
    throw new ValidationFailed([
      {
        field: 'exchangeId',
        message: 'exchangeId is required: give --exchange-id with the exchange’s own id of the withdrawal',
      },
    ]);
  }
  if (exchangeId !== null && exchangeId !== known) {
    if (isWrong && reason !== null) return exchangeId;
    if (isWrong) {
      throw new DecisionRefused(
        `The exchange accepted the withdrawal under the id ${known}, which it does not show; explain with --reason why the withdrawal is ${exchangeId}`,
      );
    }
    throw new DecisionRefused(
      `The exchange has already accepted the withdrawal under the id ${known}; leave --exchange-id out`,
    );
  }
  return known;
}

/** Checks a decision that money has left. If the exchange's history can be read in full, it must contain the record. */
function checkRecord(
  withdrawal: Withdrawal,
  { outcome, exchangeId, reason }: { outcome: OperatorOutcome; exchangeId: string; reason: string | null },
  answer: HistoryAnswer,
): void {
  const isErased = answer.kind === 'erased';
  if (outcome === 'submitted' && isErased) {
    throw new DecisionRefused(
      'The credentials of the wallet are erased, so the worker cannot follow the withdrawal; the outcome must be completed or failed',
    );
  }
  if (outcome === 'completed' && !isErased) {
    throw new DecisionRefused('The worker can follow the withdrawal to its end; the outcome must be submitted');
  }
  if (answer.kind !== 'shown') return;
  const record = answer.records.find((shown) => shown.exchangeId === exchangeId);
  if (record === undefined) {
    if (!answer.isComplete) return;
    throw new DecisionRefused(
      `The exchange shows no withdrawal ${exchangeId} of ${withdrawal.asset} since the withdrawal was created`,
    );
  }
  if (!record.fits && reason === null) {
    throw new DecisionRefused(
      `The record ${exchangeId} has another amount or address than the withdrawal; explain with --reason why it belongs to the withdrawal`,
    );
  }
}

/** Checks a decision that no money has left. After a wrong decision, the client would pay a second time. */
function checkFailure(withdrawal: Withdrawal, input: SettleInput, answer: HistoryAnswer): void {
  const { reason, isNonExecutionConfirmed, unrelated } = input;
  if (reason === null)
    throw new ValidationFailed([
      { field: 'reason', message: 'reason is required: give --reason with what you have found' },
    ]);
  if (!isNonExecutionConfirmed) {
    throw new DecisionRefused(
      'Make sure at the exchange that no money has left, and confirm it with --confirm-not-executed',
    );
  }
  if (answer.kind === 'unavailable') {
    throw new DecisionRefused(`The exchange cannot be queried now; try again later: ${answer.reason}`);
  }
  if (answer.kind !== 'shown') return;
  const moved = answer.records.filter((record) => record.fits && hasMoved(record));
  const own = moved.find(
    ({ exchangeId, clientRef }) => exchangeId === withdrawal.exchangeId || clientRef === withdrawal.clientRef,
  );
  if (own !== undefined) {
    throw new DecisionRefused(
      `The exchange shows the withdrawal as ${own.exchangeId} (${own.status}), so it was executed`,
    );
  }
  const open = moved.map(({ exchangeId }) => exchangeId).filter((id) => !unrelated.includes(id));
  if (!answer.isComplete) {
    throw new DecisionRefused(
      'The exchange has more withdrawals since then than one search reads, so it may have this one, too',
    );
  }
  if (open.length > 0) {
    throw new DecisionRefused(
      `The withdrawal may be the exchange's record ${open.join(' or ')}; name each record of another withdrawal in --unrelated`,
    );
  }
}

function requireText(field: string, text: string): void {
  if (/^\P{Cc}+$/u.test(text) && text.length <= LENGTH_MAX) return;
  throw new ValidationFailed([{ field, message: `${field} must be 1 to ${LENGTH_MAX} printable characters` }]);
}
