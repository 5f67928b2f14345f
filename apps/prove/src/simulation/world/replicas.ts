import type { ProjectContext } from '#access';
import { ExchangeError } from '#exchange';
import type { Config } from '#platform/config';
import type { Vault } from '#platform/crypto';
import type { Logger } from '#platform/logging';
import { WalletSessions } from '#wallet';
import { useCasesOver, type WithdrawalPorts } from '#withdrawal/testing';
import { SimulatedSession, type SessionParts } from '../exchange/session.js';
import type { Process, SimulatedClock } from './process.js';
import { refusalIn, type Reply } from './replies.js';

export type UseCases = ReturnType<typeof useCasesOver>;
export type ExecuteInput = Parameters<UseCases['execute']['execute']>[1];

/** What a process of ours is made of. */
export interface ProcessParts {
  process: Process;
  clock: SimulatedClock;
  ports: WithdrawalPorts;
  session: Omit<SessionParts, 'key'>;
  config: Config;
  vault: Vault;
  logger: Logger;
}

type SessionsParameters = ConstructorParameters<typeof WalletSessions>;
type WalletTarget = Awaited<ReturnType<SessionsParameters[0]['target']>>;

/** The real use cases in one simulated process. */
export function useCasesIn({ clock, ports, session: parts, config, vault, logger }: ProcessParts): UseCases {
  const opened = new Map<string, SimulatedSession>();
  const open = ({ credentials }: WalletTarget): Promise<SimulatedSession> => {
    const key = credentials.apiKey.reveal();
    const session = opened.get(key) ?? new SimulatedSession({ ...parts, key });
    opened.set(key, session);
    return Promise.resolve(session);
  };
  const exchanges = { open } as Pick<SessionsParameters[1], 'open'>;
  // What becomes of a wallet whose key is invalid is not what is simulated.
  const judgeRefusal: Pick<SessionsParameters[2], 'execute'> = {
    execute: async (target) => {
      try {
        return { isRefused: false, keyInfo: await (await open(target)).keyInfo() };
      } catch (error) {
        if (!(error instanceof ExchangeError) || error.kind !== 'credentials_invalid') throw error;
        return { isRefused: true, walletDeleted: false, deletionAt: null };
      }
    },
  };
  const grants: Pick<SessionsParameters[3], 'fresh'> = { fresh: (target) => Promise.resolve(target) };
  const refusals: Pick<SessionsParameters[4], 'endSeries'> = { endSeries: () => Promise.resolve() };
  const sessions = new WalletSessions(
    ports.credentials as SessionsParameters[0],
    exchanges as SessionsParameters[1],
    judgeRefusal as SessionsParameters[2],
    grants as SessionsParameters[3],
    refusals as SessionsParameters[4],
    logger,
  );
  return useCasesOver(ports, { sessions, clock, config, vault, logger });
}

const EXPIRED: Reply = {
  ...{ kind: 'refused', code: 'QUOTE_EXPIRED', status: 410, result: {} },
  ...{ isRecorded: true, isPause: false },
};

/** An API process: answers until it dies. */
export class ApiReplica {
  private readonly useCases: UseCases;

  constructor(private readonly parts: ProcessParts) {
    this.useCases = useCasesIn(parts);
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

  /** @returns that the quote has ended unexecuted, or nothing that a client relies on. */
  async look(project: ProjectContext, walletId: string, quoteId: string): Promise<Reply | undefined> {
    let isOver = false;
    const reply = await this.unlessDead(async () => {
      const { isOpen, withdrawal } = await this.useCases.get.execute(project, walletId, quoteId);
      isOver = !isOpen && (withdrawal === null || withdrawal.errorCode === 'QUOTE_EXPIRED');
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

/** A worker process: takes what is due and settles it, again and again, until it dies. */
export class WorkerReplica {
  private readonly useCases: UseCases;

  constructor(
    private readonly parts: ProcessParts,
    /** How long it sleeps until the next sweep. */
    private readonly pauseMs: () => number,
  ) {
    this.useCases = useCasesIn(parts);
  }

  async work(): Promise<void> {
    const { process, clock, ports } = this.parts;
    while (process.isAlive) {
      await clock.sleep(this.pauseMs());
      // A failed sweep, and a failed job: the rows are due again later.
      const due: string[] = await ports.store.takeDue(clock.now()).catch(() => []);
      // In which order a database tells them is its own affair; a seed must not depend on it.
      due.sort();
      await Promise.allSettled(due.map((id) => this.useCases.reconcile.execute(id)));
    }
  }
}
