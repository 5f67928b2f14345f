import { parseArgs } from 'node:util';
import { claimFolder } from './claim-folder.js';
import { waitForPorts } from './ports.js';
import { Problem } from './problem.js';
import { readSettings } from './settings.js';
import { say } from './terminal.js';

const USAGE = `npm start [-- options]

  --fresh           delete the data of earlier runs before the start
  --exchanges all   also connect one wallet of each simulated exchange; or only of some: --exchanges okx,bybit
  --help            show this text

The variables PORT, WORKER_PORT, SANDBOX_PORT, METRICS_PORT and WORKER_METRICS_PORT change the ports. To use your own
PostgreSQL, set DATABASE_OWNER_URL to the owner of its database, whose role may create roles; to use your own Redis, set
REDIS_URL.
`;

try {
  const options = readOptions();
  if (options.help === true) {
    process.stdout.write(USAGE);
    process.exit(0);
  }
  const exchanges = await chosenExchanges(options.exchanges);
  const settings = readSettings(process.env);
  claimFolder(settings.dataDir);
  await waitForPorts(settings);
  const { launch } = await import('./launcher.js');
  await launch(settings, { ...options, exchanges });
} catch (error) {
  // A Problem is shown as one line; any other error is a defect and is shown with its stack.
  say(error instanceof Error && error.name === 'Problem' ? error.message : describe(error));
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

/** Loads the exchanges only for the option --exchanges, because loading all of them takes a large part of a start. */
async function chosenExchanges(option: string | undefined) {
  if (option === undefined) return [];
  const { readExchanges } = await import('./chosen-exchanges.js');
  return readExchanges(option);
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
