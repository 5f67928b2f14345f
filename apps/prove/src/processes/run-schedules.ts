import { setTimeout as sleep } from 'node:timers/promises';
import { exitOnSignals } from '../exit-on-signals.js';
import { Coverage } from './coverage.js';
import { kraken, type ProvenExchange } from './exchanges.js';
import { Installation } from './installation/installation.js';
import { playSchedule, type Played } from './play-schedule.js';
import type { ProcessMutant } from './preload/process-mutants.js';
import { pointsAt } from './schedule.js';

/** Number of installations that work at the same time: one for each core of a small machine. */
const LANES = 2;
const APIS = 2;
/** How long the last lines of logs may take to arrive. */
const LAST_LINES_MS = 500;

export interface ScheduleRun {
  schedules: number;
  /** Seed of the first schedule; the others follow. One schedule is replayed with its seed and a count of 1. */
  seed: number;
  /** The difference between the seeds of two schedules; absent = one. */
  step?: number;
  log: (line: string) => void;
  /** The mutant to run; null = none. */
  mutant?: ProcessMutant;
  /** The exchange that pays; the default is Kraken. */
  exchange?: ProvenExchange;
}

export interface ScheduleResult {
  /** A text for each schedule that broke a rule, with its seed and all facts. */
  bad: string[];
  report: string;
  /** Number of combinations of a crash point and a fault that were reached. */
  visited: number;
}

/** Plays schedules with real processes. Several schedules run at the same time, each on a separate installation. */
export async function runSchedules({
  schedules,
  seed,
  step = 1,
  log,
  mutant,
  exchange = kraken,
}: ScheduleRun): Promise<ScheduleResult> {
  const began = Date.now();
  const totals = new Totals(exchange);
  const bad: string[] = [];
  const end = seed + schedules * step;
  let next = seed;
  const lane = async (index: number): Promise<void> => {
    let installation: Installation | null = null;
    try {
      while (next < end) {
        const current = next;
        next += step;
        installation ??= await Installation.start({ lane: index, apis: APIS, mutant: mutant ?? null });
        installation.exchange.exchange = exchange;
        const played = await playSchedule(installation, current).catch((error: unknown) => String(error));
        totals.add(played);
        log(typeof played === 'string' ? `seed ${current}: BAD: ${played}` : lineOf(played));
        if (typeof played !== 'string' && played.problems.length === 0) continue;
        await sleep(LAST_LINES_MS);
        bad.push(
          [
            `seed ${current} is bad (npm run prove -- --schedules 1 --from ${current} --exchange ${exchange.name}):`,
            ...describe(played),
            ...logsOf(installation),
          ].join('\n'),
        );
        // A broken installation must not affect the next schedules.
        await installation.close();
        installation = null;
      }
    } finally {
      await installation?.close();
    }
  };
  const stayOnSignals = exitOnSignals();
  // Waits for all lanes, so that each of them stops its installation before the failure of another one is thrown.
  const lanes = await Promise.allSettled(Array.from({ length: Math.min(LANES, schedules) }, (_, index) => lane(index)));
  stayOnSignals();
  for (const ended of lanes) if (ended.status === 'rejected') throw ended.reason;
  return { bad, report: totals.report(Date.now() - began), visited: totals.coverage.visited };
}

class Totals {
  readonly coverage: Coverage;
  private readonly reviews = new Map<string, number>();
  private readonly ends = new Map<string, number>();
  private readonly orderEnds = new Map<string, number>();
  private schedules = 0;
  private bad = 0;

  constructor(exchange: ProvenExchange) {
    this.coverage = new Coverage(pointsAt(exchange));
  }

  /** @param played the schedule, or the reason why it could not be played to its end. */
  add(played: Played | string): void {
    this.schedules += 1;
    if (typeof played === 'string' || played.problems.length > 0) this.bad += 1;
    if (typeof played === 'string') return;
    this.coverage.add(played.facts);
    for (const { state } of played.orderFacts.rows) count(this.orderEnds, state);
    const { rows, reviews } = played.facts;
    for (const { id, state } of rows) {
      count(this.ends, state);
      if (state === 'review') count(this.reviews, reviews.get(id) ?? 'the worker was killed before it logged why');
    }
  }

  report(millis: number): string {
    const { coverage } = this;
    const missing = coverage.missing();
    return [
      `${this.schedules} schedules in ${Math.round(millis / 1_000)} s: ${this.bad} bad`,
      `cells of crash point × fault visited: ${coverage.visited} of ${coverage.cells} (${(coverage.share * 100).toFixed(1)} %)`,
      coverage.table(),
      ...(missing.length > 0 && missing.length <= 20 ? [`not visited: ${missing.join(', ')}`] : []),
      `withdrawals by final state: ${listOf(this.ends)}`,
      `orders by final state: ${listOf(this.orderEnds)}`,
      `in review, by reason: ${listOf(this.reviews)}`,
    ].join('\n');
  }
}

function count(into: Map<string, number>, what: string): void {
  into.set(what, (into.get(what) ?? 0) + 1);
}

function listOf(counts: ReadonlyMap<string, number>): string {
  const parts = [...counts].sort(([, a], [, b]) => b - a).map(([what, times]) => `${what} ${times}`);
  return parts.length === 0 ? 'none' : parts.join(', ');
}

function lineOf({ schedule, problems, facts, orderFacts, millis }: Played): string {
  const { crashed, fired } = facts;
  const { point, fault } = schedule.cell;
  const seen = `${crashed.includes(point) || point === 'none' ? '' : 'not '}crashed, ${fired.includes(fault) || fault === 'none' ? '' : 'not '}fired`;
  const ends = facts.rows.map(({ state }) => state).join(' ');
  const orders = orderFacts.rows.length === 0 ? '' : `, orders ${orderFacts.rows.map(({ state }) => state).join(' ')}`;
  const verdict = problems.length === 0 ? 'good' : 'BAD';
  return `seed ${schedule.seed}: ${point} × ${fault} (${seen}) ${millis} ms, ${ends}${orders}: ${verdict}`;
}

function describe(played: Played | string): string[] {
  if (typeof played === 'string') return [`  ${played}`];
  const { schedule, problems, facts, orderFacts } = played;
  const json = (value: unknown): string => JSON.stringify(value, null, 1);
  return [
    ...problems.map((problem) => `  ${problem}`),
    `schedule: ${json(schedule)}`,
    `crashed: ${facts.crashed.join(', ')}; fired: ${facts.fired.join(', ')}`,
    `quotes and the responses to their clients: ${json(facts.quotes)}`,
    `rows: ${json(facts.rows)}`,
    `ledger of the exchange: ${json(facts.ledger)}`,
    `orders: ${json(orderFacts)}`,
  ];
}

function logsOf({ services }: Installation): string[] {
  return services.flatMap((process) => [`log of ${process.name}:`, ...process.log()]);
}
