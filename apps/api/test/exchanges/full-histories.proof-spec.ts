import { randomUUID } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { z } from 'zod';
import type { Exchanges, ExchangeSession, HistoryKind } from '#exchange';
import { createExchanges } from '#exchange/testing';
import { loadConfig } from '#platform/config';
import { Secret } from '#platform/crypto';
import { byExtent, RunningClock } from '#platform/testing';
import { startSandboxExchange, type SandboxExchange } from '../../../sandbox-exchange/src/sandbox-exchange.js';
import { Sandbox, type SandboxAccount } from '../support/sandbox.js';

const DAY_MS = 86_400_000;
const TIMEOUT_MS = 1_800_000;
/** Every so many pages, the proof checks what they claim to have read. */
const CHECKED_PAGES = 10;
const RATES = { EXCHANGE_CALLS_PER_SECOND: '1000', EXCHANGE_CALLS_BURST: '1000' };
const LIMITS = { ...RATES, EXCHANGE_EGRESS_CALLS_PER_SECOND: '10000', EXCHANGE_EGRESS_CALLS_BURST: '10000' };

interface FullHistory {
  id: string;
  /** Number of records in the short and the medium form: several pages, and more than one call reads. */
  records: number;
  /** The largest documented page. */
  pageSize: number;
  keyPrefix?: string;
  isUnified?: boolean;
  passphrase?: true;
}

const histories: readonly FullHistory[] = [
  { id: 'binance', pageSize: 1_000, records: 5_300 },
  { id: 'okx', pageSize: 100, records: 450, passphrase: true },
  { id: 'bybit', pageSize: 50, records: 230 },
  { id: 'kucoin', pageSize: 500, records: 1_200, passphrase: true },
  { id: 'bitget', pageSize: 100, records: 450, passphrase: true },
  { id: 'bitget', pageSize: 100, records: 450, passphrase: true, isUnified: true },
  { id: 'gate', pageSize: 100, records: 1_100 },
  { id: 'bitstamp', pageSize: 1_000, records: 5_300 },
  { id: 'gemini', pageSize: 50, records: 450, keyPrefix: 'account-' },
  { id: 'coinbase', pageSize: 100, records: 2_100 },
  { id: 'kraken', pageSize: 500, records: 1_200 },
];

/** An upper bound of the requests for a month: the full pages twice over, and the periods since the exchange began. */
function mostRequests({ pageSize }: FullHistory, count: number): number {
  return 2 * Math.ceil(count / pageSize) + 250;
}

const opened = z.object({ accountId: z.string(), apiKey: z.string(), apiSecret: z.string() });

/** Counts requests to the sandbox exchange, except those of its control API. */
class RequestCount {
  count = 0;
  private readonly onRequest = (message: unknown): void => {
    const { request } = z.object({ request: z.object({ path: z.string() }) }).parse(message);
    if (!request.path.startsWith('/control')) this.count++;
  };

  start(): void {
    subscribe('undici:request:create', this.onRequest);
  }

  stop(): void {
    unsubscribe('undici:request:create', this.onRequest);
  }
}

/**
 * Every connector reads the records of one month by the protocol of its exchange, with the documented pages. The long
 * form has 100,000 of them.
 */
describe('a month with many records', () => {
  const clock = new RunningClock();
  const requests = new RequestCount();
  let exchange: SandboxExchange;
  let sandbox: Sandbox;
  let exchanges: Exchanges;

  beforeAll(async () => {
    exchange = await startSandboxExchange({ port: 0, now: () => clock.now() });
    sandbox = new Sandbox(exchange.url);
    const config = loadConfig({ SANDBOX_URL: exchange.url, ...LIMITS, EXCHANGE_TIMEOUT_MS: '60000' });
    exchanges = createExchanges(config, { clock });
    requests.start();
  });
  afterAll(async () => {
    requests.stop();
    await exchanges.onApplicationShutdown();
    await exchange.close();
  });

  async function open({
    id,
    keyPrefix,
    isUnified = false,
  }: FullHistory): Promise<Pick<SandboxAccount, 'accountId' | 'apiKey' | 'apiSecret'>> {
    const apiKey = keyPrefix === undefined ? {} : { apiKey: `${keyPrefix}${randomUUID()}` };
    if (id !== 'coinbase') return sandbox.open({ balances: { BTC: '1' }, isUnified, ...apiKey });
    const answer = await fetch(`${exchange.url}/control/coinbase/accounts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ balances: { BTC: '1' } }),
    });
    return opened.parse(await answer.json());
  }

  function sessionOf(
    { id, passphrase }: FullHistory,
    key: Pick<SandboxAccount, 'apiKey' | 'apiSecret'>,
  ): Promise<ExchangeSession> {
    const secrets = { apiKey: new Secret(key.apiKey), apiSecret: new Secret(key.apiSecret) };
    const credentials = { ...secrets, ...(passphrase === true && { apiPassphrase: new Secret('sandbox') }) };
    return exchanges.open({ exchange: id, mode: 'test', credentialId: randomUUID(), credentials });
  }

  /** Reads a history as the workers do, and checks that it never claims more than it has read. */
  async function readAll({ history }: ExchangeSession, kind: HistoryKind, times: readonly number[]) {
    if (history === undefined) throw new Error('the session has no history');
    const range = { since: history.begins, until: clock.now() };
    const found = new Map<string, number>();
    let [pages, cursor] = [0, null as string | null];
    let reached = range.until.getTime();
    do {
      const page = await history.page(kind, range, cursor);
      expect(page).toMatchObject({ unreadable: 0 });
      expect(page.unlistedAt).toBeUndefined();
      for (const { exchangeId, at } of page.records) found.set(exchangeId, at.getTime());
      reached = Math.min(reached, page.reachedAt?.getTime() ?? Math.min(...page.records.map(({ at }) => at.getTime())));
      pages++;
      cursor = page.nextCursor;
      if (pages % CHECKED_PAGES !== 1) continue;
      const newer = times.filter((time) => time > reached).length;
      expect([...found.values()].filter((time) => time > reached - 1_000).length).toBeGreaterThanOrEqual(newer);
    } while (cursor !== null);
    return found;
  }

  it.each(histories)(
    'is read completely at $id',
    async (of) => {
      const count = byExtent({ short: of.records, medium: of.records, long: 100_000 });
      const account = await open(of);
      const to = new Date(clock.now().getTime() - 5_000);
      const from = new Date(to.getTime() - 30 * DAY_MS);
      await sandbox.makeHistory(account, { deposits: count, withdrawals: 60, from, to });
      const session = await sessionOf(of, account);
      const { deposits, withdrawals } = await sandbox.records(account);
      const times = deposits.map((deposit) => deposit.receivedAt);
      const before = requests.count;
      const found = await readAll(session, 'deposit', times);
      expect(found.size).toBe(count);
      expect(requests.count - before).toBeLessThan(mostRequests(of, count));
      const others = await readAll(session, 'withdrawal', []);
      expect(others.size).toBe(withdrawals.length);
    },
    TIMEOUT_MS,
  );
});
