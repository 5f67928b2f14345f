import { loadAlternately, loadRows, type LoadOptions } from '../load.js';
import type { Row } from '../report.js';
import type { BenchProcess } from '../environment/bench-process.js';
import { connectWallets } from '../environment/connect-wallets.js';
import type { BenchEnvironment } from '../environment/environment.js';

/** `GET /v0/wallet` beside bare Fastify and pg with the same database queries. */
export async function benchGetWallet(
  environment: BenchEnvironment,
  api: BenchProcess,
  options: LoadOptions,
): Promise<Row[]> {
  const project = await environment.createProject(api);
  const [wallet] = await connectWallets(environment, api, project, 1);
  const bare = await environment.startBare('bare-wallet', [environment.databaseUrl]);
  const headers = { ...project, 'x-svc-wallet-id': wallet?.walletId ?? '' };
  const path = '/v0/wallet';
  const figures = await loadAlternately({ process: api, path, headers }, { process: bare, path, headers }, options);
  await environment.stop(bare);
  return loadRows('get wallet', figures);
}
