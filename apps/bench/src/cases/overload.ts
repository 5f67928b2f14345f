import { executionCall, readCall, TICKERS, walletCall } from '../overload/calls.js';
import { ClientWatch } from '../overload/client-watch.js';
import { connectClient, prepareQuotes, type Client, type PreparedQuote } from '../overload/clients.js';
import { Connections, NOT_SENT, TIMEOUT_MS } from '../overload/connections.js';
import { requestsPerExecution, EXECUTIONS_PER_SECOND_MAX, readKind } from '../overload/mix.js';
import { Outcomes } from '../overload/outcomes.js';
import { Probes } from '../overload/probes.js';
import { closedLoop, eachSecond, openLoop } from '../overload/rates.js';
import type { Outcome } from '../overload/send.js';
import { aligned, compared, megabytes, millis, perSecond, type Row } from '../report.js';
import type { BenchProcess } from '../environment/bench-process.js';
import { firstText } from '../environment/http.js';
import type { BenchEnvironment } from '../environment/environment.js';
import { median } from '../stats.js';

const CLIENTS = 32;
const WARM_UP_SECONDS = 2;
const CAPACITY_SECONDS = 5;
const TIMES_CAPACITY = 5;
const SECONDS = 30;
const AFTER_SECONDS = 5;
const READ_CONNECTIONS = 900;
/** Enough connections that the client never delays an execution, even when every execution times out. */
const EXECUTION_CONNECTIONS = EXECUTIONS_PER_SECOND_MAX * (TIMEOUT_MS / 1_000);

/** Everything that the load needs, prepared in advance. */
interface Setup {
  api: BenchProcess;
  clients: Client[];
  quotes: PreparedQuote[];
  reads: Connections;
  executions: Connections;
  /** Connections for the single requests before and after the load. */
  lone: Connections;
  requestsPerSecond: number;
}

/** Offers five times the capacity of one API process for 30 s, and measures successes, refusals and cost. */
export async function benchOverload(
  environment: BenchEnvironment,
  api: BenchProcess,
  log: (line: string) => void,
): Promise<Row[]> {
  await environment.putOffSyncs();
  const clients: Client[] = [];
  while (clients.length < CLIENTS) clients.push(await connectClient(environment, api));
  const worker = await environment.startService('worker');
  await firstText(`${api.baseUrl}${TICKERS}`);

  const capacity = await measureCapacity(api, clients);
  const requestsPerSecond = capacity * TIMES_CAPACITY;
  const executionCount = Math.ceil((requestsPerSecond * SECONDS) / requestsPerExecution(requestsPerSecond));
  const quotes = await prepareQuotes(api, clients, executionCount);
  const [reads, executions, lone] = await openConnections(api);
  const setup: Setup = { api, clients, quotes, reads, executions, lone, requestsPerSecond };
  const before = await eachSecond(AFTER_SECONDS, () => askAlone(setup));
  const rssBefore = api.peakRssMb();

  const outcomes = new Outcomes();
  const after = await overload(setup, outcomes, log);
  log(aligned(outcomes.table()));
  for (const connections of [reads, executions, lone]) connections.close();
  await environment.stop(worker);

  const succeeded = outcomes.count('execution', '200');
  const usual = median(before.map(({ ms }) => ms));
  return [
    compared(`overload, ${SECONDS} s: offered`, perSecond, [requestsPerSecond, capacity], 'capacity'),
    compared('  executions that succeeded', String, [succeeded, outcomes.count('execution')], 'offered'),
    compared('  largest memory of the API', megabytes, [api.peakRssMb(), rssBefore], 'before'),
    ...after.map(({ status, ms }, second) =>
      compared(`  single request, ${second} s after: ${status}`, millis, [ms, usual], 'before'),
    ),
  ];
}

/** Successful reads per second in a closed loop. */
async function measureCapacity(api: BenchProcess, clients: Client[]): Promise<number> {
  const connections = await Connections.open(api.baseUrl, CLIENTS);
  const read = (index: number): Promise<Outcome> => connections.send(readCall(clients, index));
  await closedLoop(WARM_UP_SECONDS, read);
  const capacity = await closedLoop(CAPACITY_SECONDS, read);
  connections.close();
  return capacity;
}

async function openConnections({ baseUrl }: BenchProcess): Promise<[Connections, Connections, Connections]> {
  const reads = await Connections.open(baseUrl, READ_CONNECTIONS);
  const executions = await Connections.open(baseUrl, EXECUTION_CONNECTIONS);
  return [reads, executions, await Connections.open(baseUrl, AFTER_SECONDS)];
}

/** Sends the load, and then single requests. @returns the single requests, one for each second */
async function overload(setup: Setup, outcomes: Outcomes, log: (line: string) => void): Promise<Outcome[]> {
  const { api, clients, reads, executions, requestsPerSecond } = setup;
  const quotes = [...setup.quotes];
  const each = requestsPerExecution(requestsPerSecond);
  const offer = async (index: number): Promise<void> => {
    const quote = index % each === 0 ? quotes.shift() : undefined;
    if (quote === undefined) outcomes.add(readKind(index), await reads.send(readCall(clients, index)));
    else outcomes.add('execution', await executions.send(executionCall(quote)));
  };
  const probes = new Probes(api, outcomes);
  const cpuBefore = (await api.usage()).cpuSeconds;
  const client = new ClientWatch();
  const asked = probes.run();
  const sent = await openLoop({ perSecond: requestsPerSecond, seconds: SECONDS }, offer);
  probes.stop();
  const clientLoad = client.end();
  const [{ cpuSeconds }, after] = await Promise.all([api.usage(), eachSecond(AFTER_SECONDS, () => askAlone(setup))]);
  await Promise.all([...sent, asked]);
  const cores = (cpuSeconds - cpuBefore) / SECONDS;
  log(
    `the API: ${cores.toFixed(2)} of a core (a value much below 1 means that the API waited for the database, the exchange or the processor)`,
  );
  log(
    `the client: ${clientLoad}; at most ${reads.mostInUse} of ${reads.count} connections for reads and ` +
      `${executions.mostInUse} of ${executions.count} for executions were in use ('${NOT_SENT}' = none was free)`,
  );
  return after;
}

const askAlone = ({ lone, clients }: Setup): Promise<Outcome> => lone.send(walletCall(clients, 0));
