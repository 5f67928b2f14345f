import { parseArgs } from 'node:util';
import { readExchanges } from './exchange-wallets.js';
import { Launcher } from './launcher.js';
import { Problem } from './problem.js';
import { readSettings } from './settings.js';
import { say } from './terminal.js';

const USAGE = `npm start [-- options]

  --fresh           delete the data of earlier runs first
  --exchanges all   also connect a wallet of each exchange that the sandbox exchange speaks; or some ids: okx,bybit
  --help            show this text

PORT, WORKER_PORT, SANDBOX_PORT, METRICS_PORT and WORKER_METRICS_PORT change the ports. DATABASE_URL with
DATABASE_OWNER_URL, and REDIS_URL, use servers of your own.
`;

try {
  const values = readOptions();
  if (values.help === true) {
    process.stdout.write(USAGE);
    process.exit(0);
  }
  const launcher = new Launcher(readSettings(process.env), {
    fresh: values.fresh ?? false,
    watch: values.watch ?? false,
    exchanges: readExchanges(values.exchanges),
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => void launcher.stop().then((code) => process.exit(code)));
  }
  await launcher.start();
} catch (error) {
  // A Problem is shown as one line; any other error is a defect and is shown with its stack.
  say(error instanceof Problem ? error.message : String(error instanceof Error ? error.stack : error));
  process.exit(1);
}

function readOptions() {
  try {
    const boolean = { type: 'boolean' } as const;
    return parseArgs({ options: { fresh: boolean, watch: boolean, help: boolean, exchanges: { type: 'string' } } })
      .values;
  } catch (error) {
    throw new Problem(`${error instanceof Error ? error.message : String(error)}; see npm start -- --help`);
  }
}
