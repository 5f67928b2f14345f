import { closedLoop, type Responses } from './closed-loop.js';
import { compared, micros, millis, type Row } from './report.js';
import type { BenchProcess } from './environment/bench-process.js';
import { median, quantile } from './stats.js';

const CONNECTIONS = 32;
const WARM_UP_SECONDS = 2;
/**
 * Maximum share of refused requests in a measurement. A process refuses a few requests when other work on the machine
 * delays it.
 */
const REFUSED_MAX = 0.02;

export interface Target {
  process: BenchProcess;
  path: string;
  headers?: Readonly<Record<string, string>>;
  /**
   * Number of client addresses that the proxy headers of the requests name in rotation. With enough of them, no address
   * reaches the limits for one address.
   */
  clients?: number;
  /** Connections, each with one request at a time; default: CONNECTIONS. */
  connections?: number;
}

/** The figures of one server under full load. */
export interface LoadFigures {
  requestsPerSecond: number;
  p99Ms: number;
  /** CPU time of the server process only. */
  cpuMsPerRequest: number;
  /** The lowest and the highest `cpuMsPerRequest` of a round. */
  cpuMsSpread: readonly [lowest: number, highest: number];
}

type Round = Omit<LoadFigures, 'cpuMsSpread'>;

export interface LoadOptions {
  rounds: number;
  seconds: number;
}

/**
 * Loads the servers one after the other in each round, so that other work on the machine affects all of them.
 * @returns the medians of the rounds, in the order of the targets
 */
export async function loadInTurns(
  targets: readonly Target[],
  { rounds, seconds }: LoadOptions,
): Promise<LoadFigures[]> {
  for (const target of targets) await send(target, WARM_UP_SECONDS);
  const figures = targets.map((): Round[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, target] of targets.entries()) figures[index]?.push(await load(target, seconds));
  }
  return figures.map(medians);
}

async function load(target: Target, seconds: number): Promise<Round> {
  const { process: server, path } = target;
  const before = await server.usage();
  const result = await send(target, seconds);
  const after = await server.usage();
  if (result.failures > result.count * REFUSED_MAX) {
    throw new Error(`${path}: ${result.failures} of ${result.count} responses were errors`);
  }
  return {
    requestsPerSecond: result.count / result.seconds,
    p99Ms: quantile(result.latenciesMs, 0.99),
    cpuMsPerRequest: ((after.cpuSeconds - before.cpuSeconds) * 1_000) / result.count,
  };
}

/**
 * Loads a server. The caller decides how many refused requests are too many: a server refuses some during the warm-up,
 * because it is slow until V8 has optimized its code.
 */
function send(
  { process: server, path, headers, clients = 0, connections = CONNECTIONS }: Target,
  seconds: number,
): Promise<Responses> {
  const ofClients = Array.from({ length: clients }, (_, index) => ({
    ...headers,
    'x-forwarded-for': `192.0.2.${index}`,
  }));
  return closedLoop({
    baseUrl: server.baseUrl,
    path,
    headers: clients > 0 ? ofClients : [{ ...headers }],
    connections,
    seconds,
  });
}

function medians(figures: readonly Round[]): LoadFigures {
  const cpuMs = figures.map((figure) => figure.cpuMsPerRequest);
  return {
    requestsPerSecond: median(figures.map((figure) => figure.requestsPerSecond)),
    p99Ms: median(figures.map((figure) => figure.p99Ms)),
    cpuMsPerRequest: median(cpuMs),
    cpuMsSpread: [Math.min(...cpuMs), Math.max(...cpuMs)],
  };
}

/** Compares the CPU time of two servers for each request, with the lowest and the highest round in microseconds. */
export function cpuRow(what: string, [ours, bare]: readonly [LoadFigures, LoadFigures], label = ''): Row {
  const text = ({ cpuMsPerRequest, cpuMsSpread: [lowest, highest] }: LoadFigures): string =>
    `${micros(cpuMsPerRequest)} (${(lowest * 1_000).toFixed(0)}–${(highest * 1_000).toFixed(0)})`;
  const row = compared(what, micros, [ours.cpuMsPerRequest, bare.cpuMsPerRequest]);
  return { ...row, ours: text(ours), bare: `${label} ${text(bare)}`.trim() };
}

export const p99Row = ([ours, bare]: readonly [LoadFigures, LoadFigures], label = ''): Row =>
  compared('… p99', millis, [ours.p99Ms, bare.p99Ms], label);
