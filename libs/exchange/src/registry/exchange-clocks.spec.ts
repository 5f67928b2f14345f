import { pino } from 'pino';
import { loadConfig } from '#platform/config';
import { Secret } from '#platform/crypto';
import { Metrics } from '#platform/metrics';
import { RunningClock } from '#platform/testing';
import type { ExchangeSession } from '../port/exchange.port.js';
import type { Exchanges } from './exchanges.service.js';
import { createExchanges } from '../testing/create-exchanges.js';
import { documented, result, speakKraken } from '../testing/kraken-documentation.js';
import { StubExchange } from '../testing/stub-exchange.js';

const LIMIT_MS = 5_000;

describe('the measured clock difference to an exchange', () => {
  let stub: StubExchange;
  let clock: RunningClock;
  let metrics: Metrics;
  let exchanges: Exchanges;
  let session: ExchangeSession;
  let warnings: { differenceMs: number; exchange: string }[];
  /** How far the exchange's clock is behind ours. */
  let behindMs: number;
  let date: ((now: Date) => string) | undefined;

  beforeEach(async () => {
    stub = await StubExchange.start();
    speakKraken(stub);
    clock = new RunningClock();
    metrics = new Metrics();
    warnings = [];
    behindMs = 0;
    date = (now) => now.toUTCString();
    stub.on('GetApiKeyInfo', (_call, response) => {
      // Without this, Node would add the current date.
      response.sendDate = false;
      const text = date?.(new Date(clock.now().getTime() - behindMs));
      if (text !== undefined) response.setHeader('date', text);
      return result(documented.GetApiKeyInfo);
    });
    const write = (line: string): void => void warnings.push(JSON.parse(line) as (typeof warnings)[number]);
    const settings = { SANDBOX_URL: stub.url, EXCHANGE_CALLS_BURST: '100', CLOCK_DIFFERENCE_MAX_MS: String(LIMIT_MS) };
    const logger = pino({ level: 'warn' }, { write });
    exchanges = createExchanges(loadConfig(settings), { clock, metrics, logger });
    session = await exchanges.open({
      exchange: 'kraken',
      mode: 'test',
      credentialId: 'one',
      credentials: { apiKey: new Secret('key'), apiSecret: new Secret('c2VjcmV0') },
    });
  });
  afterEach(async () => {
    await exchanges.onApplicationShutdown();
    await stub.close();
  });

  async function compared(difference: number): Promise<number | undefined> {
    behindMs = difference;
    clock.advance(10_000);
    await session.keyInfo();
    const [metric] = (await metrics.registry.getMetricsAsJSON()).filter(
      ({ name }) => name === 'causeway_exchange_clock_difference_seconds',
    );
    return metric?.values.find(({ labels }) => labels.exchange === 'kraken')?.value;
  }

  it('is zero when the date header and the duration of the call allow equal clocks', async () => {
    expect(await compared(0)).toBe(0);
    expect(warnings).toEqual([]);
  });

  it.each([
    [90_000, 88, 90],
    [-90_000, -90, -88],
  ])('is reported for a difference of %i ms, and is at most two seconds too small', async (difference, least, most) => {
    const shown = await compared(difference);
    expect(shown).toBeGreaterThanOrEqual(least);
    expect(shown).toBeLessThanOrEqual(most);
    expect(warnings).toMatchObject([{ exchange: 'kraken' }]);
  });

  it('causes one warning while it exceeds the limit, and another when it exceeds the limit again', async () => {
    for (const difference of [20_000, 30_000, 0, 0, -20_000]) await compared(difference);
    expect(warnings.map(({ differenceMs }) => Math.sign(differenceMs))).toEqual([1, -1]);
  });

  it('is not measured without a valid date header', async () => {
    date = undefined;
    expect(await compared(90_000)).toBeUndefined();
    date = () => 'yesterday';
    expect(await compared(90_000)).toBeUndefined();
    expect(warnings).toEqual([]);
  });
});
