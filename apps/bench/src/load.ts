import autocannon from 'autocannon';
import { millis, perSecond, ratio, type Row } from './report.js';
import type { BenchProcess } from './environment/bench-process.js';
import { median } from './stats.js';

const CONNECTIONS = 32;
const WARM_UP_SECONDS = 2;

export interface Target {
  process: BenchProcess;
  path: string;
  headers?: Readonly<Record<string, string>>;
}

/** The figures of one server under full load. */
export interface LoadFigures {
  requestsPerSecond: number;
  p99Ms: number;
  /** CPU time of the server process only. */
  cpuMsPerRequest: number;
}

export interface LoadOptions {
  rounds: number;
  seconds: number;
}

/**
 * Loads both servers alternately, so that other work on the machine affects both. The figures are medians of the
 * rounds.
 */
export async function loadAlternately(
  ours: Target,
  bare: Target,
  { rounds, seconds }: LoadOptions,
): Promise<{ ours: LoadFigures; bare: LoadFigures }> {
  for (const target of [ours, bare]) await load(target, WARM_UP_SECONDS);
  const figures = { ours: [] as LoadFigures[], bare: [] as LoadFigures[] };
  for (let round = 0; round < rounds; round++) {
    figures.ours.push(await load(ours, seconds));
    figures.bare.push(await load(bare, seconds));
  }
  return { ours: medians(figures.ours), bare: medians(figures.bare) };
}

async function load({ process: server, path, headers }: Target, seconds: number): Promise<LoadFigures> {
  const before = await server.usage();
  const url = `${server.baseUrl}${path}`;
  const result = await autocannon({ url, headers: { ...headers }, connections: CONNECTIONS, duration: seconds });
  const after = await server.usage();
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${path}: ${result.non2xx} responses were errors`);
  return {
    requestsPerSecond: result.requests.total / result.duration,
    p99Ms: result.latency.p99,
    cpuMsPerRequest: ((after.cpuSeconds - before.cpuSeconds) * 1_000) / result.requests.total,
  };
}

function medians(figures: readonly LoadFigures[]): LoadFigures {
  return {
    requestsPerSecond: median(figures.map((figure) => figure.requestsPerSecond)),
    p99Ms: median(figures.map((figure) => figure.p99Ms)),
    cpuMsPerRequest: median(figures.map((figure) => figure.cpuMsPerRequest)),
  };
}

/** The rows of a comparison under load. */
export function loadRows(what: string, { ours, bare }: Awaited<ReturnType<typeof loadAlternately>>): Row[] {
  return [
    {
      what: `${what}: requests`,
      ours: perSecond(ours.requestsPerSecond),
      bare: `Fastify ${perSecond(bare.requestsPerSecond)}`,
      ratio: ratio(ours.requestsPerSecond, bare.requestsPerSecond),
    },
    {
      what: `${what}: CPU of the server for each request`,
      ours: millis(ours.cpuMsPerRequest),
      bare: millis(bare.cpuMsPerRequest),
      ratio: ratio(ours.cpuMsPerRequest, bare.cpuMsPerRequest),
    },
    { what: `${what}: p99`, ours: millis(ours.p99Ms), bare: millis(bare.p99Ms), ratio: ratio(ours.p99Ms, bare.p99Ms) },
  ];
}
