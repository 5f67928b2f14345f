import { pino } from 'pino';
import { Clock } from '#platform/clock';
import { loadConfig } from '#platform/config';
import { Metrics } from '#platform/metrics';
import { PairLists } from '../../registry/pair-lists.service.js';
import { Tickers } from '../../registry/tickers.service.js';
import { ContractBench } from '../../testing/contract/contract-bench.js';
import type { Reply } from '../../testing/contract/exchange-contract.js';
import { sendOnce, submissionsOf } from '../../testing/contract/submissions.js';
import { StubExchange } from '../../testing/stub-exchange.js';
import { CallBudgets } from '../../transport/call-budget.js';
import { krakenContract } from './kraken-contract.js';
import { kraken } from './kraken.js';

const subject = { declaration: kraken, contract: krakenContract };
/**
 * Kraken's page guides/spot-rest-intro: "severity code … W for a warning". Neither the page nor a public report lists
 * the texts of warnings, so these are ours.
 */
const WARNING = 'WGeneral:Scheduled maintenance';

/** The same response with a warning beside its result. */
function warned({ status, body }: Reply): Reply {
  const parsed = JSON.parse(body) as object;
  return { status, body: JSON.stringify({ ...parsed, error: [WARNING] }) };
}

describe('a warning of Kraken', () => {
  it.each(submissionsOf(krakenContract).map((kind) => [kind.name, kind] as const))(
    'leaves an accepted %s accepted, with its id, and is logged',
    (_name, kind) =>
      ContractBench.run(subject, async ({ open, stub, metrics }) => {
        const session = await open();
        const ready = await kind.prepare(session);
        stub.answer({ [kind.contract.route]: warned(kind.contract.accepted) });
        const { outcome } = await sendOnce(ready, session);
        expect(outcome.kind).toBe('accepted');
        expect(JSON.stringify(outcome)).toContain(kind.contract.exchangeIds[0]);
        expect(await metrics.registry.metrics()).toMatch(/causeway_exchange_warnings_total\{.*exchange="kraken".*\} 1/);
      }),
  );

  it.each(submissionsOf(krakenContract).map((kind) => [kind.name, kind] as const))(
    'without a result leaves the outcome of a %s unknown',
    (_name, kind) =>
      ContractBench.run(subject, async ({ open, stub }) => {
        const session = await open();
        const ready = await kind.prepare(session);
        stub.answer({ [kind.contract.route]: { status: 200, body: JSON.stringify({ error: [WARNING] }) } });
        expect((await sendOnce(ready, session)).outcome).toMatchObject({ kind: 'unknown' });
      }),
  );

  it('beside an error refuses as the error alone does', () =>
    ContractBench.run(subject, async ({ open, stub }) => {
      const session = await open();
      const both = { status: 200, body: JSON.stringify({ error: [WARNING, 'EAPI:Invalid key'] }) };
      stub.answer({ [krakenContract.keyInfo.route]: both });
      await expect(session.keyInfo()).rejects.toMatchObject({ kind: 'credentials_invalid' });
    }));

  it('changes no result of a read, and a read without a result cannot be used', () =>
    ContractBench.run(subject, async ({ open, stub }) => {
      const session = await open();
      const balances = await session.balances();
      for (const [route, { answer }] of Object.entries(krakenContract.calls))
        stub.answer({ [route]: (call) => warned(typeof answer === 'function' ? answer(call) : answer) });
      expect(await session.keyInfo()).toEqual(krakenContract.keyInfo.expected);
      expect(await session.balances()).toEqual(balances);
      const empty = { status: 200, body: JSON.stringify({ error: [WARNING] }) };
      stub.answer({ [krakenContract.keyInfo.route]: empty });
      await expect(session.keyInfo()).rejects.toMatchObject({ kind: 'unavailable', reason: 'unusable_answer' });
    }));

  it('changes neither tickers nor pairs, and is logged once', async () => {
    const stub = await StubExchange.start();
    const lines: string[] = [];
    const logger = pino({}, { write: (line: string) => void lines.push(line) });
    const clock = new Clock();
    const config = loadConfig({ EXCHANGE_KRAKEN_URL: stub.url });
    const parts = [config, clock, new CallBudgets(clock, config), new Metrics(), logger] as const;
    const pair = {
      altname: 'XBTUSD',
      wsname: 'XBT/USD',
      aclass_base: 'currency',
      base: 'XXBT',
      aclass_quote: 'currency',
      quote: 'ZUSD',
      pair_decimals: 1,
      lot_decimals: 8,
      lot_multiplier: 1,
      leverage_buy: [],
      status: 'online',
      fees: [[0, 0.26]],
      fees_maker: [[0, 0.16]],
      ordermin: '0.0001',
      costmin: '0.5',
      tick_size: '0.1',
    };
    const pairs = { error: [WARNING], result: { XXBTZUSD: pair } };
    stub.on('AssetPairs', () => pairs);
    stub.on('Ticker', () => ({ error: [WARNING], result: { XXBTZUSD: { c: ['50000.1', '1'] } } }));
    const [tickers, lists] = [new Tickers(...parts), new PairLists(...parts)];
    try {
      for (let count = 0; count < 2; count++)
        expect((await tickers.read('kraken')).prices.get('BTC')?.toString()).toBe('50000.1');
      expect((await lists.read('kraken', 'live')).pairs).toHaveLength(1);
      const warnings = lines.filter((line) => line.includes(WARNING));
      expect(warnings.filter((line) => line.includes('"operation":"tickers"'))).toHaveLength(1);
      expect(warnings.length).toBeGreaterThanOrEqual(2);
    } finally {
      await tickers.onApplicationShutdown();
      await lists.onApplicationShutdown();
      await stub.close();
    }
  });
});
