import { DomainError } from '#platform/errors';
import type { Withdrawal } from '#withdrawal';
import { databaseOnlyUseCases } from '#withdrawal/testing';
import type { Exchange } from '../exchange/exchange.js';
import type { Rows } from '../store/simulated-store.js';
import type { Random } from './random.js';
import { sessionsIn, type ProcessParts } from './process-parts.js';
import { DatabaseGone } from './stepwise.js';

type Decision = Parameters<ReturnType<typeof databaseOnlyUseCases>['settle']['execute']>[0];

/** Maximum number of refused decisions about one withdrawal. After that, the operator decides nothing more about it. */
const REFUSALS_MAX = 5;
const NOTHING = { outcome: null, exchangeId: null, reason: null, isNonExecutionConfirmed: false, unrelated: [] };

/** The facts on which an operator decides, and callbacks for events and violations. */
export interface OperatorWorld {
  random: Random;
  exchange: Exchange;
  rows: () => Rows;
  onEvent: (event: string) => void;
  onViolation: (what: string) => void;
}

/** A person who decides about withdrawals in review, and who knows what the exchange has really done. */
export class Operator {
  private readonly settle;
  /** For each withdrawal id, how often a decision about the withdrawal was refused. */
  private readonly refusals = new Map<string, number>();

  constructor(
    private readonly parts: ProcessParts,
    private readonly world: OperatorWorld,
  ) {
    const { more, ports, clock, config, logger } = parts;
    if (more === null) throw new Error('an operator can decide only in runs on PostgreSQL');
    const known = { sessions: sessionsIn(parts), clock, config, logger };
    this.settle = databaseOnlyUseCases({ ...more.ports, store: ports.store }, more.real, known).settle;
  }

  /** Whether no withdrawal is left for the operator to decide. */
  get isIdle(): boolean {
    return this.open().length === 0;
  }

  async work(): Promise<void> {
    const { process, clock } = this.parts;
    while (process.isAlive) {
      await clock.sleep(this.world.random.between(1_000, 120_000));
      const withdrawal = this.world.random.any(this.open());
      if (withdrawal !== null) await this.decide(withdrawal);
    }
  }

  private open(): Withdrawal[] {
    const { withdrawals } = this.world.rows();
    return withdrawals.filter(({ id, state }) => state === 'review' && (this.refusals.get(id) ?? 0) < REFUSALS_MAX);
  }

  private async decide(withdrawal: Withdrawal): Promise<void> {
    const decision = this.decisionOn(withdrawal);
    if (decision === null) return;
    this.world.onEvent(`the operator: ${decision.outcome} ${decision.exchangeId} for ${withdrawal.id}`);
    try {
      await this.settle.execute(decision);
      this.world.onEvent('the operator has decided');
    } catch (error) {
      if (error instanceof DatabaseGone) return;
      if (!(error instanceof DomainError)) this.world.onViolation(`a decision of the operator threw ${String(error)}`);
      this.refusals.set(withdrawal.id, (this.refusals.get(withdrawal.id) ?? 0) + 1);
      this.world.onEvent(`a decision of the operator was refused: ${String(error)}`);
    }
  }

  /** Returns the decision about a withdrawal; null while its outcome cannot be known. */
  private decisionOn(withdrawal: Withdrawal): Decision | null {
    const { exchange } = this.world;
    const own = exchange.records.filter(({ quoteId }) => quoteId === withdrawal.quoteId);
    const record = own.find(({ exchangeId }) => exchangeId === withdrawal.exchangeId) ?? own[0];
    const said = { ...NOTHING, id: withdrawal.id, operator: 'operator', reason: 'looked at the exchange' };
    if (record !== undefined && !this.isRefused(withdrawal)) {
      return { ...said, outcome: 'submitted', exchangeId: record.exchangeId };
    }
    // While a request is on its way or a withdrawal is not settled, the outcome may still change.
    if (exchange.openMatters > 0) return null;
    if (record?.status === 'completed') return { ...said, outcome: 'completed', exchangeId: record.exchangeId };
    const unrelated = exchange.records.map(({ exchangeId }) => exchangeId);
    return { ...said, outcome: 'failed', isNonExecutionConfirmed: true, unrelated };
  }

  /**
   * Whether a decision about this withdrawal was refused. Causeway refuses `submitted` when the credentials are erased,
   * because the worker cannot follow the withdrawal without them. The operator then has to decide the final outcome.
   */
  private isRefused({ id }: Withdrawal): boolean {
    return (this.refusals.get(id) ?? 0) > 0;
  }
}
