import type { ProjectContext } from '#access';
import type { WalletSessions } from '#wallet';
import { useCasesOver } from '#withdrawal/testing';
import { Chores } from './chores.js';
import { refusalsIn, sessionsIn, type ProcessParts } from './process-parts.js';
import { refusalIn, type Reply } from './replies.js';

export type UseCases = ReturnType<typeof useCasesOver>;
export type ExecuteInput = Parameters<UseCases['execute']['execute']>[1];

/** The real use cases in one simulated process. */
function useCasesIn(parts: ProcessParts, sessions: WalletSessions): UseCases {
  const { ports, clock, config, vault, logger } = parts;
  return useCasesOver(ports, { sessions, clock, config, vault, logger, refusals: refusalsIn(parts) });
}

/** Longest pause between two sweeps. */
const SWEEP_MAX_MS = 30_000;
const EXPIRED: Reply = {
  kind: 'refused',
  code: 'QUOTE_EXPIRED',
  status: 410,
  result: {},
  isRecorded: true,
  isPause: false,
};

/** An API process, which answers calls until it dies. */
export class ApiReplica {
  private readonly useCases: UseCases;

  constructor(private readonly parts: ProcessParts) {
    this.useCases = useCasesIn(parts, sessionsIn(parts));
  }

  get isAlive(): boolean {
    return this.parts.process.isAlive;
  }

  get name(): string {
    return this.parts.process.name;
  }

  call(project: ProjectContext, input: ExecuteInput): Promise<Reply> {
    return this.unlessDead(async () => {
      const { id, transactionId } = await this.useCases.execute.execute(project, input);
      return { kind: 'ok', id, transactionId };
    });
  }

  /**
   * Reads the state of a quote.
   * @returns `EXPIRED` when the quote ended without being executed, or an internal error. Returns undefined for any
   *   other state, because clients do not rely on it.
   */
  async look(project: ProjectContext, externalWalletId: string, quoteId: string): Promise<Reply | undefined> {
    let isOver = false;
    const reply = await this.unlessDead(async () => {
      const status = await this.useCases.get.execute(project, externalWalletId, quoteId);
      const { isOpen, mayLackExecution, withdrawal } = status;
      isOver = !isOpen && !mayLackExecution && (withdrawal === null || withdrawal.errorCode === 'QUOTE_EXPIRED');
      return { kind: 'ok', id: '', transactionId: '' };
    });
    if (reply.kind === 'broken') return reply;
    return isOver && reply.kind === 'ok' ? EXPIRED : undefined;
  }

  private unlessDead(work: () => Promise<Reply>): Promise<Reply> {
    return new Promise((resolve) => {
      const forget = this.parts.process.onDeath(() => resolve({ kind: 'lost' }));
      const end = (reply: Reply): void => {
        forget();
        resolve(reply);
      };
      work().then(end, (error: unknown) => end(refusalIn(error)));
    });
  }
}

/** A worker process, which settles the due withdrawals until it dies. */
export class WorkerReplica {
  private readonly useCases: UseCases;
  private readonly chores: Chores;

  constructor(
    private readonly parts: ProcessParts,
    /** Milliseconds until a row is due. The worker sleeps until then, because earlier sweeps would find nothing. */
    private readonly untilDue: () => number,
  ) {
    const sessions = sessionsIn(parts);
    this.useCases = useCasesIn(parts, sessions);
    this.chores = new Chores(parts, sessions);
  }

  async work(): Promise<void> {
    const { process, clock, config } = this.parts;
    while (process.isAlive) {
      const sweepMs = config.constants.WITHDRAWAL_SWEEP_MS;
      await clock.sleep(Math.min(SWEEP_MAX_MS, Math.max(sweepMs, this.untilDue())));
      if (this.untilDue() > sweepMs && !this.chores.isAny) continue;
      // A failed sweep or job can be ignored, because its rows are due again later.
      const due = await this.takeDue().catch((): string[] => []);
      // A seed must not depend on the order in which a database returns rows.
      due.sort();
      await Promise.allSettled(due.map((id) => this.useCases.reconcile.execute(id)));
      await this.chores.do();
    }
  }

  /**
   * Returns the ids of the due withdrawals, by the database's clock as in the real sweep.
   * @throws HostClockDiffers when the clock of the host is wrong.
   */
  private async takeDue(): Promise<string[]> {
    const { time, store } = this.parts.ports;
    return store.takeDue((await time.read()).now());
  }
}
