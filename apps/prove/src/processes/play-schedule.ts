import { setTimeout as sleep } from 'node:timers/promises';
import { call, connectWallet, createQuote, execute, type Headers } from './api-client.js';
import { executeUntilAnswered, hasGivenWay, isFinal, needsCode, type AskedQuote } from './clients.js';
import { Director } from './director.js';
import { places } from './exchanges.js';
import { judgeOrders, type OrderFacts } from './order-oracle.js';
import { PlayedOrders } from './play-orders.js';
import type { ExchangeAccount, ExchangeControl } from './installation/exchange-control.js';
import type { Installation } from './installation/installation.js';
import { decide, hasItsEnd, settleByHand } from './operator.js';
import { judge, type Facts } from './oracle.js';
import { Random } from './random.js';
import { isAtRest, readRows, shortenPauses, type Row } from './rows.js';
import { scheduleOf, type Schedule } from './schedule.js';
import { until } from './until.js';

export interface Played {
  schedule: Schedule;
  facts: Facts;
  orderFacts: OrderFacts;
  problems: string[];
  millis: number;
}

/**
 * Maximum number of checks whether the withdrawals are settled, while the worker runs. All checks together take half a
 * minute, and more on a busy machine.
 */
const SETTLE_CHECKS = 100;
const SETTLE_TIMEOUT_MS = 120_000;
const STATUS_TIMEOUT_MS = 15_000;
/** How long the planned faults and kills may still happen after all clients have final responses. */
const TROUBLE_MS = 2_000;
/** Longest time for which the clients of a quote with `isLate` wait for the kill before they begin. */
const LATE_MS = 1_000;
const SHORTEN_PAUSE_MS = 300;
/** Maximum number of attempts to prepare one schedule. Each attempt creates a new account and a new wallet. */
const PREPARATIONS_MAX = 3;

/** Plays the schedule of a seed on an installation that is ready. */
export async function playSchedule(installation: Installation, seed: number): Promise<Played> {
  const began = Date.now();
  const schedule = scheduleOf(seed, installation.exchange.exchange);
  for (const process of installation.services) process.forget();
  const { account, wallet, quotes } = await prepared(installation, schedule);
  const director = new Director(installation, schedule, account);
  await director.arm();
  const orders = new PlayedOrders(installation, schedule, { account, wallet });
  await Promise.all([runClients(installation, schedule, { wallet, quotes, director }), orders.run(director)]);
  const rest = (): Promise<boolean> => areAtRest(installation, quotes, orders);
  await until('trouble', TROUBLE_MS, async () => (await director.isDone()) || (await rest())).catch(() => false);
  await director.endFaults();
  await settle(installation, quotes, orders);
  await director.endCrashes();
  await installation.ready();
  const fired = await director.firedFaults();
  const crashed = [...director.crashed];
  const facts = await learn(installation, { account, wallet, quotes, fired, crashed });
  const orderFacts = await orders.learn();
  const problems = [...judge(facts), ...judgeOrders(orderFacts), ...(await settleReviews(installation, facts))];
  return { schedule, facts, orderFacts, problems, millis: Date.now() - began };
}

/**
 * Lets an operator settle the withdrawals in review, each of which must reach a final state. A schedule must not leave
 * a withdrawal in review, because the records of the next schedules could fit it.
 */
async function settleReviews(installation: Installation, { rows, quotes, ledger }: Facts): Promise<string[]> {
  const decisions = decide({ rows, quotes, ledger });
  const problems: string[] = [];
  for (const decision of decisions) {
    const refusal = await settleByHand(decision, installation.cliEnv);
    if (refusal !== null) problems.push(refusal);
  }
  if (decisions.length === 0 || problems.length > 0) return problems;
  await settle(installation, quotes);
  const settled = await rowsOf(installation, quotes);
  return decisions.flatMap((decision) => {
    const row = settled.find(({ id }) => id === decision.withdrawalId);
    if (row !== undefined && hasItsEnd(row, decision)) return [];
    return [`withdrawal ${decision.withdrawalId} is ${row?.state ?? 'missing'} after an operator's decision`];
  });
}

/** Repeats the preparation when one of its calls fails: new processes may respond late on a busy machine. */
async function prepared(installation: Installation, schedule: Schedule): Promise<Prepared> {
  for (let tries = 1; ; tries++) {
    try {
      return await prepare(installation, schedule);
    } catch (error) {
      if (tries === PREPARATIONS_MAX) throw error;
    }
  }
}

interface Prepared {
  account: ExchangeAccount;
  wallet: Headers;
  quotes: AskedQuote[];
}

async function prepare(installation: Installation, schedule: Schedule): Promise<Prepared> {
  const { exchange, project, apis } = installation;
  const address = apis[0]?.address ?? '';
  const account = await exchange.open();
  const wallet = await connectWallet(address, project, `wallet-${schedule.seed}-${Date.now()}`, {
    account,
    control: exchange,
  });
  const quotes: AskedQuote[] = [];
  for (const { asset, amount } of schedule.quotes) {
    const { network, method } = places[asset];
    const saved = account.withdrawalAddresses.find((each) => each.asset === asset && each.method === method);
    if (saved === undefined) throw new Error(`the account has no address for ${asset}`);
    const request = { asset, network, address: saved.address, amount };
    const { id, exact } = await createQuote(address, wallet, request);
    quotes.push({ id, asset, address: saved.address, amountNoFee: exact.amountNoFee, replies: [] });
  }
  if (exchange.exchange.connectBy === 'consent')
    for (const quote of quotes) await requestCode(quote, address, { account, wallet, exchange });
  return { account, wallet, quotes };
}

/**
 * Executes a quote without a code, so that the exchange sends a code to the owner. The schedule's clients use that
 * code.
 */
async function requestCode(
  quote: AskedQuote,
  address: string,
  { account, wallet, exchange }: { account: ExchangeAccount; wallet: Headers; exchange: ExchangeControl },
): Promise<void> {
  const reply = await execute(address, wallet, quote.id);
  if (!needsCode(reply)) throw new Error(`the exchange did not require a code: ${JSON.stringify(reply)}`);
  quote.readCode = () => exchange.codeOf(quote.id, account);
}

async function runClients(
  { apis }: Installation,
  { seed, quotes: planned, isOneSided }: Schedule,
  { wallet, quotes, director }: { wallet: Headers; quotes: AskedQuote[]; director: Director },
): Promise<void> {
  const random = new Random(seed);
  await Promise.all(
    quotes.map(async (quote, index) => {
      const { clients = 1, isLate = false } = planned[index] ?? {};
      if (isLate) await until('the crash', LATE_MS, () => director.hasCrashed).catch(() => false);
      const all = Array.from({ length: clients }, (_, client) => {
        const first = isOneSided ? 0 : (index + client) % apis.length;
        return executeUntilAnswered(quote, wallet, [...apis.slice(first), ...apis.slice(0, first)], random);
      });
      await Promise.all(all);
    }),
  );
}

function rowsOf({ database }: Installation, quotes: AskedQuote[]): Promise<Row[]> {
  return readRows(
    database,
    quotes.map(({ id }) => id),
  );
}

async function areAtRest(installation: Installation, quotes: AskedQuote[], orders?: PlayedOrders): Promise<boolean> {
  const rows = await rowsOf(installation, quotes).catch(() => null);
  const areSettled = rows?.every((row) => isAtRest(row, quotes)) ?? false;
  return areSettled && ((await orders?.areAtRest().catch(() => false)) ?? true);
}

/**
 * Waits until every withdrawal is at rest (`isAtRest`) and every order is final. The oracle reports those that are not.
 * The time in which a killed worker starts again does not count, because on a busy machine a start takes longer than
 * settling.
 */
async function settle(installation: Installation, quotes: AskedQuote[], orders?: PlayedOrders): Promise<void> {
  const deadline = Date.now() + SETTLE_TIMEOUT_MS;
  let checks = SETTLE_CHECKS;
  while (checks > 0 && Date.now() < deadline && !(await areAtRest(installation, quotes, orders))) {
    await sleep(SHORTEN_PAUSE_MS);
    if (installation.worker.address !== null) checks -= 1;
    const ids = quotes.map(({ id }) => id);
    // The database server may be starting again after a kill.
    await shortenPauses(installation.database, ids).catch(() => undefined);
    await orders?.hurry().catch(() => undefined);
  }
}

/**
 * Executes every quote that has a withdrawal once more at every API process, except quotes that were refused as
 * duplicates, and collects all facts.
 */
async function learn(
  installation: Installation,
  { account, wallet, quotes, fired, crashed }: Prepared & Pick<Facts, 'fired' | 'crashed'>,
): Promise<Facts> {
  const rows = await rowsOf(installation, quotes);
  const executed = quotes.filter((quote) => !hasGivenWay(quote) && rows.some(({ quoteId }) => quoteId === quote.id));
  for (const { address } of installation.apis) {
    for (const quote of executed) quote.replies.push(await execute(address ?? '', wallet, quote.id));
  }
  const statuses = new Map<string, string>();
  for (const { transactionId } of rows) {
    statuses.set(transactionId, await statusOf(installation.apis[0]?.address ?? '', wallet, transactionId));
  }
  return {
    quotes,
    rows,
    statuses,
    fired,
    crashed,
    ledger: await installation.exchange.ledger(account),
    reviews: reviewsIn(installation.worker.log()),
    surprises: installation.services.flatMap((process) => process.takeSurprises()),
  };
}

/** Repeats the call, because a busy machine may respond late. */
function statusOf(address: string, wallet: Headers, transactionId: string): Promise<string> {
  return until(`the status of ${transactionId}`, STATUS_TIMEOUT_MS, async () => {
    const reply = await call(address, {
      method: 'GET',
      path: `/v0/wallet/transaction/${transactionId}`,
      headers: wallet,
    });
    return isFinal(reply) && (reply.body as { status: string }).status;
  });
}

/** The reasons of withdrawals in review, by their ids. */
function reviewsIn(log: readonly string[]): Map<string, string> {
  const reviews = new Map<string, string>();
  for (const line of log.filter((text) => text.includes('withdrawal needs an operator'))) {
    const { withdrawalId, reason } = JSON.parse(line) as { withdrawalId: string; reason: string };
    reviews.set(withdrawalId, reason);
  }
  return reviews;
}
