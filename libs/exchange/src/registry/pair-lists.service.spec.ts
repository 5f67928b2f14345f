import { pino } from 'pino';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { InvalidConfig, loadConfig, testOverrides } from '#platform/config';
import { Metrics } from '#platform/metrics';
import { projectRoot } from '#platform/testing';
import { CallBudgets } from '../transport/call-budget.js';
import { ExchangeError } from '../port/exchange-error.js';
import { ManualClock } from '../testing/manual-clock.js';
import { StubExchange, type Behaviour } from '../testing/stub-exchange.js';
import { PairLists } from './pair-lists.service.js';
import { pairSources } from './pair-sources.js';

const PAIRS = 'GET /0/public/AssetPairs';
const liveIds = pairSources.filter(({ liveUrl }) => liveUrl !== null).map(({ id }) => id);

/** The recorded list, with every number as it was written. */
function recorded(id: string): string {
  const file = readFileSync(
    path.join(projectRoot, 'libs/exchange/src/exchanges', id, `${id}-pairs.fixture.json`),
    'utf8',
  );
  return file.slice(file.indexOf('"answer": ') + '"answer": '.length, file.lastIndexOf('}'));
}

/** The recorded list, with a renamed field in two of three pairs. */
function mostlyChanged(id: string): string {
  const lines = recorded(id).split('\n');
  return lines.map((line, index) => (index % 3 === 0 ? line : line.replace('"tick_size"', '"tick"'))).join('\n');
}

describe('reading the pair list of an exchange', () => {
  let stub: StubExchange;
  let clock: ManualClock;
  const started: PairLists[] = [];

  function start(settings: Record<string, string> = {}): PairLists {
    const urls = Object.fromEntries(liveIds.map((id) => [`EXCHANGE_${id.toUpperCase()}_URL`, stub.url]));
    const config = loadConfig({ ...urls, SANDBOX_URL: stub.url, EXCHANGE_TIMEOUT_MS: '300', ...settings });
    const lists = new PairLists(
      config,
      clock,
      new CallBudgets(clock, config),
      new Metrics(),
      pino({ level: 'silent' }),
    );
    started.push(lists);
    return lists;
  }

  beforeEach(async () => {
    stub = await StubExchange.start();
    clock = new ManualClock();
  });
  afterEach(async () => {
    for (const lists of started.splice(0)) await lists.onApplicationShutdown();
    await stub.close();
  });

  it.each(liveIds)('gets the pairs of %s, and the time of the response, with one call', async (exchange) => {
    const source = pairSources.find(({ id }) => id === exchange);
    const [route = '', query = ''] = source?.path.split('?') ?? [];
    stub.on(`GET ${route}`, (_call, response) => void response.end(recorded(exchange)));
    const list = await start().read(exchange, 'live');
    expect(list).toMatchObject({ exchange, mode: 'live', api: route, unreadable: 0, fetchedAt: clock.now() });
    expect(list.pairs.length).toBeGreaterThan(3);
    expect(stub.calls.map(({ params }) => params)).toEqual([Object.fromEntries(new URLSearchParams(query))]);
    const { headers } = stub.calls[0] ?? { headers: {} };
    expect(Object.keys(headers).sort()).toEqual(['accept', 'accept-encoding', 'connection', 'host', 'user-agent']);
  });

  const failures: [string, Behaviour, object][] = [
    ['a page instead of a list', (_call, response) => void response.end('<html>Maintenance</html>'), {}],
    ['an empty list', () => ({ error: [], result: {} }), {}],
    ['broken entries only', () => ({ error: [], result: { XXBTZUSD: { altname: 'XBTUSD' } } }), {}],
    ['a list whose entries have mostly changed', (_call, response) => void response.end(mostlyChanged('kraken')), {}],
    ['half a list', (_call, response) => void response.end('{"error":[],"result":{"XXBTZUSD":{"al'), {}],
    ['the status 503', (_call, response) => void response.writeHead(503).end(recorded('kraken')), {}],
    ['a rate limit', (_call, response) => void response.writeHead(429).end(), { kind: 'rate_limited' }],
    ['no response', () => undefined, { message: expect.stringContaining('timeout') }],
    ['a response that is too large', () => ' '.repeat(140_000), { message: expect.stringContaining('too large') }],
  ];

  it.each(failures)('fails for %s', async (_what, behaviour, expected) => {
    stub.on(PAIRS, behaviour);
    const reading = start(testOverrides({ EXCHANGE_RESPONSE_MAX_BYTES: 131_072 })).read('kraken', 'live');
    await expect(reading).rejects.toBeInstanceOf(ExchangeError);
    await expect(reading).rejects.toMatchObject({ kind: 'unavailable', exchange: 'kraken', ...expected });
  });

  it('asks the sandbox exchange for test projects, and the real exchange for live projects', async () => {
    stub.on(PAIRS, (_call, response) => void response.end(recorded('kraken')));
    const lists = start({ EXCHANGE_KRAKEN_URL: 'http://127.0.0.1:9' });
    expect((await lists.read('kraken', 'test')).mode).toBe('test');
    await expect(lists.read('kraken', 'live')).rejects.toMatchObject({ kind: 'unavailable' });
  });

  it('is possible only for the exchanges that `exchanges(mode)` returns', async () => {
    const all = start();
    expect(all.exchanges('live')).toEqual(liveIds);
    expect(all.exchanges('test')).toEqual([...liveIds, 'sandbox']);
    expect(all.exchanges('live')).not.toContain('sandbox');
    const some = start({ CATALOGUE_EXCHANGES: 'kraken, okx', SANDBOX_URL: '' });
    expect(some.exchanges('live')).toEqual(['kraken', 'okx']);
    expect(some.exchanges('test')).toEqual([]);
    expect(start({ CATALOGUE_EXCHANGES: 'none' }).exchanges('live')).toEqual([]);
    for (const [exchange, mode] of [
      ['coinbase', 'live'],
      ['kraken', 'test'],
      ['mtgox', 'live'],
    ] as const) {
      await expect(some.read(exchange, mode)).rejects.toMatchObject({ kind: 'unavailable', exchange });
    }
    expect(stub.calls).toEqual([]);
    expect(() => start({ CATALOGUE_EXCHANGES: 'kraken,mtgox' })).toThrow(InvalidConfig);
  });
});
