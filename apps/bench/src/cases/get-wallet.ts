import { loadInTurns, loadRows, type LoadOptions } from '../load.js';
import type { Row } from '../report.js';
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
