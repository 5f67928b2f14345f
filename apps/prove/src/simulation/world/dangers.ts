import type { Counts } from '../../counts.js';
import { Process } from './process.js';
import type { Random } from './random.js';
import type { Scenario } from '../scenario/scenario.js';
import type { Scheduler, Step } from './scheduler.js';
import type { DatabaseFault } from './stepwise.js';

/** The probability that a process dies at a step. It is low at waiting steps, because there are many of them. */
const DEATH_RATE = { waiting: 0.004, asking: 0.02, deciding: 0.08 } as const;
const DECIDING =
  /^(transitions\.(?!checkLater)|corrections\.|refusals\.|store\.(begin|awaitVerification)|exchange\.(submit|answer|verify)|challenges\.|operatorTransitions\.|epochChecks\.close|restoredDatabase\.detect|db\.transaction)/;
const WAITING = /^(sleep$|locks\.take$|store\.find$)/;

/** Time from the death of a process to its restart. */
const RESTART_MIN_MS = 500;
const RESTART_MAX_MS = 20_000;

export interface DangerParts {
  scheduler: Scheduler;
  random: Random;
  counts: Counts;
  onEvent: (event: string) => void;
  /** Starts another process in the place of one that has died. */
  restart: (process: Process) => void;
  /** Lets the owner of the wallets act before a step of a process. */
  ambush: (isDeciding: boolean) => Promise<void>;
}

/** Lets processes die at any step, and restarts them. */
export class Dangers {
  /** Labels of the steps at which a process died. */
  readonly deaths = new Set<string>();

  private deathsLeft: number;
  private readonly databaseFaultRate: number;

  constructor(
    private readonly parts: DangerParts,
    { crashes, databaseFaultRate }: Pick<Scenario, 'crashes' | 'databaseFaultRate'>,
  ) {
    this.deathsLeft = crashes;
    this.databaseFaultRate = databaseFaultRate;
  }

  /** After this call, `meet` lets no process die. */
  end(): void {
    this.deathsLeft = 0;
  }

  databaseFault(label: string): DatabaseFault | null {
    const { random, counts } = this.parts;
    if (!random.chance(this.databaseFaultRate)) return null;
    const fault = random.pick(['statement_failed', 'commit_lost'] as const);
    counts.add(`database ${fault} ${label}`);
    return fault;
  }

  /** Runs a step. Its process may die before the step, or after it without getting the result. */
  async meet(step: Step): Promise<void> {
    const { random, counts, onEvent } = this.parts;
    const { owner, label, run } = step;
    const mortal = owner instanceof Process ? owner : null;
    if (mortal !== null && step.kind !== 'event') await this.parts.ambush(DECIDING.test(label));
    if (mortal === null || this.deathsLeft === 0 || step.kind === 'event' || !random.chance(rateOf(label))) {
      onEvent(`${owner?.name ?? 'nobody'} ${label}`);
      await run();
      return;
    }
    this.deathsLeft -= 1;
    const isAfter = step.kind !== 'sleep' && random.chance(0.5);
    const point = `${mortal.role} ${isAfter ? 'after' : 'before'} ${label}`;
    counts.add(`death ${point}`);
    this.deaths.add(point);
    onEvent(`${mortal.name} dies ${isAfter ? 'after' : 'before'} ${label}`);
    this.kill(mortal);
    if (isAfter) await run();
  }

  /** Ends a process; another one takes its place a little later. */
  kill(process: Process): void {
    const { scheduler, random, restart } = this.parts;
    process.die();
    for (const step of scheduler.drop(process)) {
      // The database server may already have the statement, and then it executes the statement without the process.
      if (step.kind === 'database' && random.chance(0.5)) scheduler.add({ ...step, owner: null });
    }
    scheduler.add({
      owner: null,
      label: `restart of ${process.name}`,
      kind: 'event',
      in: random.between(RESTART_MIN_MS, RESTART_MAX_MS),
      run: () => restart(process),
    });
  }
}

function rateOf(label: string): number {
  if (WAITING.test(label)) return DEATH_RATE.waiting;
  return DECIDING.test(label) ? DEATH_RATE.deciding : DEATH_RATE.asking;
}
