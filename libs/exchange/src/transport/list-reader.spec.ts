import { pino } from 'pino';
import { z } from 'zod';
import { Metrics } from '#platform/metrics';
import { ListReader, UnreadableEntries } from './list-reader.js';

const entry = z.object({ asset: z.string(), fee: z.object({ amount: z.string() }) });
const good = { asset: 'BTC', fee: { amount: '1' } };
const bad = { asset: 'ETH', fee: { amount: 5 } };

describe('the reader of lists', () => {
  let metrics: Metrics;
  let lines: unknown[];
  let reader: ListReader;

  beforeEach(() => {
    metrics = new Metrics();
    lines = [];
    const write = (line: string): void => {
      const { exchange, list, count, cause } = JSON.parse(line) as Record<string, unknown>;
      lines.push({ exchange, list, count, cause });
    };
    const logger = pino({ level: 'warn' }, { write });
    reader = new ListReader('exchange', new UnreadableEntries(metrics, logger));
  });
  const read = (list: string, entries: unknown[]) => reader.read(list, entries, (one) => entry.parse(one));
  const counted = async () => {
    const text = await metrics.registry.getSingleMetricAsString('causeway_exchange_unreadable_entries_total');
    return text.split('\n').filter((line) => !line.startsWith('#'));
  };

  it('leaves out an entry that cannot be read, and keeps all others in their order', () => {
    expect(read('networks', [good, bad, null, { ...good, asset: 'XRP' }])).toEqual([good, { ...good, asset: 'XRP' }]);
    expect(read('networks', [])).toEqual([]);
  });

  it('fails when no entry can be read, because the list then has another form', () => {
    expect(() => read('networks', [bad, null])).toThrow('fee.amount');
  });

  it('counts unreadable entries by list, and logs each list once, without values', async () => {
    read('networks', [bad, good, bad]);
    read('networks', [bad, good]);
    read('addresses', [null, good]);
    expect(lines).toEqual([
      { exchange: 'exchange', list: 'networks', count: 2, cause: 'fee.amount' },
      { exchange: 'exchange', list: 'addresses', count: 1, cause: '' },
    ]);
    expect(await counted()).toEqual([
      'causeway_exchange_unreadable_entries_total{exchange="exchange",list="networks"} 3',
      'causeway_exchange_unreadable_entries_total{exchange="exchange",list="addresses"} 1',
    ]);
  });

  it('counts and logs nothing while all entries are readable', async () => {
    read('networks', [good]);
    expect(lines).toEqual([]);
    expect(await counted()).toEqual([]);
  });
});
