import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Causeway } from '#client';
import { Shop } from './shop.js';

/** The port of this example application. `npm run example` starts it while `npm start` runs. */
const PORT = 8800;
const root = process.cwd();
const file = path.join(root, '.local', 'demo.json');

interface Demo {
  baseUrl: string;
  apiKey: string;
  orgId: string;
  projectId: string;
  sandboxUrl: string;
  sandboxWallet: { addresses: Record<string, Record<string, string> | undefined> };
}

const text = await readFile(file, 'utf8').catch(() => null);
if (text === null) {
  process.stderr.write(`${file} is missing: run npm start first, and leave it running\n`);
  process.exit(1);
}
const { baseUrl, apiKey, orgId, projectId, sandboxUrl, sandboxWallet } = JSON.parse(text) as Demo;
const isRunning = await fetch(`${baseUrl}/livez`).then(
  ({ ok }) => ok,
  () => false,
);
if (!isRunning) {
  process.stderr.write(`Causeway does not respond at ${baseUrl}: run npm start, and leave it running\n`);
  process.exit(1);
}
const starting = Shop.start({
  causeway: new Causeway({ baseUrl, apiKey, orgId, projectId }),
  exchange: 'sandbox',
  walletId: 'customer-of-the-shop',
  address: sandboxWallet.addresses.BTC?.bitcoin ?? '',
  port: PORT,
  root,
});
const shop = await starting.catch(({ code, message }: NodeJS.ErrnoException) => {
  const advice = `port ${PORT} is in use: open http://127.0.0.1:${PORT}/ if the example runs already, or stop that program`;
  process.stderr.write(`${code === 'EADDRINUSE' ? advice : message}\n`);
  process.exit(1);
});
process.stdout.write(`The example runs: ${shop.url}\n`);
process.stdout.write(`Codes that the sandbox exchange sends: ${sandboxUrl}/\n`);
