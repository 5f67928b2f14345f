import { AsyncLocalStorage } from 'node:async_hooks';
import { SteppedClock } from './stepped-clock.js';

/** `ended`: the process was stopped before its work was done. */
export type WorkOutcome = 'fulfilled' | 'rejected' | 'ended';

interface SimulatedProcess {
  /** `asking`: the process has called an exchange, which responds only when all other processes wait. */
  state: 'running' | 'asking' | 'waiting' | WorkOutcome;
  /** Called when the process is stopped before its work is done. */
  forget: () => void;
  /** Number of calls of `sleep` by this process that have not returned. */
  waits: number;
}

/**
 * Processes that run at the same time, and their clock. The clock advances when all of them have finished or wait, so
 * that a test does not depend on the speed of the machine.
 */
export class SimulatedProcesses extends SteppedClock {
  private readonly current = new AsyncLocalStorage<SimulatedProcess>();
  private processes: SimulatedProcess[] = [];
  private readonly watchers = new Set<() => void>();

  /**
   * @param boundMs a process that sleeps for less than this time counts as waiting. A longer sleep is a time limit that
   *   runs beside the other work of the process, so it leaves the state of the process unchanged.
   */
  constructor(private readonly boundMs: number) {
    super();
  }

  /**
   * Resolves when each of the works has finished, or its process was stopped.
   * @throws Error when a finished process still waits for something.
   */
  async run(works: readonly { work: () => Promise<unknown>; forget: () => void }[]): Promise<WorkOutcome[]> {
    this.processes = works.map(({ forget }) => ({ state: 'running', forget, waits: 0 }));
    this.processes.forEach((process, index) => {
      const finished = (outcome: WorkOutcome) => () => this.set(process, outcome);
      void this.current
        .run(process, async () => works[index]?.work())
        .then(finished('fulfilled'), finished('rejected'));
    });
    for (;;) {
      await this.until(() => !this.processes.some(({ state }) => state === 'running' || state === 'asking'));
      const outcomes = this.processes.map(({ state }) => state).filter(isOutcome);
      const areDone = outcomes.length === works.length;
      if (!areDone) this.advanceToNextWait();
      // Lets the promises of the ended waits resolve before the states of the processes are read again.
      await new Promise((resolve) => setImmediate(resolve));
      if (!areDone) continue;
      if (this.processes.some(({ state, waits }) => state !== 'ended' && waits > 0)) {
        throw new Error('a process still waits after its work');
      }
      return outcomes;
    }
  }

  /** Stops the process that calls this method. The calls of that process never return. */
  endProcess(): void {
    const process = this.current.getStore();
    if (process === undefined) return;
    process.forget();
    this.set(process, 'ended');
  }

  /** Called by an exchange before it responds: lets all other processes run until they wait. */
  async untilOthersWait(): Promise<void> {
    const asking = this.current.getStore();
    if (asking === undefined) return;
    this.set(asking, 'asking');
    await this.until(() => !this.processes.some((process) => process !== asking && process.state === 'running'));
    this.set(asking, 'running');
  }

  override async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    const process = this.current.getStore();
    if (process === undefined) return super.sleep(ms, signal);
    process.waits += 1;
    if (ms < this.boundMs) this.set(process, 'waiting');
    await super.sleep(ms, signal);
    process.waits -= 1;
    if (ms < this.boundMs) this.set(process, 'running');
  }

  private set(process: SimulatedProcess, state: SimulatedProcess['state']): void {
    if (isOutcome(process.state)) return;
    process.state = state;
    for (const check of this.watchers) check();
  }

  private until(condition: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const check = (): void => {
        if (!condition()) return;
        this.watchers.delete(check);
        resolve();
      };
      this.watchers.add(check);
      check();
    });
  }
}

function isOutcome(state: SimulatedProcess['state']): state is WorkOutcome {
  return state === 'fulfilled' || state === 'rejected' || state === 'ended';
}
