import { loadInTurns, type LoadOptions } from '../load.js';
import { millis, perSecond, ratio, type Row } from '../report.js';
import type { BenchProcess } from '../stand/bench-process.js';
import { connectWallets } from '../stand/connect-wallets.js';
import type { Stand } from '../stand/stand.js';

/** `GET /v0/wallet` beside bare Fastify and pg that ask the database the same. */
export async function benchGetWallet(stand: Stand, api: BenchProcess, options: LoadOptions): Promise<Row[]> {
  const project = await stand.createProject(api);
  const [wallet] = await connectWallets(stand, api, project, 1);
  const bare = await stand.startBare('bare-wallet', [stand.databaseUrl]);
  const headers = { ...project, 'x-svc-wallet-id': wallet?.walletId ?? '' };
  const path = '/v0/wallet';
  const figures = await loadInTurns({ process: api, path, headers }, { process: bare, path, headers }, options);
  await stand.stop(bare);
  return loadRows('get wallet', figures);
}

/** The lines of a comparison under load. */
export function loadRows(what: string, { ours, bare }: Awaited<ReturnType<typeof loadInTurns>>): Row[] {
  return [
    {
      what: `${what}: requests`,
      ours: perSecond(ours.requestsPerSecond),
      bare: `Fastify ${perSecond(bare.requestsPerSecond)}`,
      ratio: ratio(ours.requestsPerSecond, bare.requestsPerSecond),
    },
    {
      what: `${what}: CPU of the server a request`,
      ours: millis(ours.cpuMsPerRequest),
      bare: millis(bare.cpuMsPerRequest),
      ratio: ratio(ours.cpuMsPerRequest, bare.cpuMsPerRequest),
    },
    { what: `${what}: p99`, ours: millis(ours.p99Ms), bare: millis(bare.p99Ms), ratio: ratio(ours.p99Ms, bare.p99Ms) },
  ];
}
