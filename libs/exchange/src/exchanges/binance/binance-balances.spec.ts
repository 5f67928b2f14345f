import { readSpot } from './binance-responses.js';
import { pino } from 'pino';
import { Metrics } from '#platform/metrics';
import { ListReader, UnreadableEntries } from '../../transport/list-reader.js';

describe('the spot account at Binance', () => {
  it('counts an asset in Simple Earn as earning, and not as an asset of its own', () => {
    const lists = new ListReader('binance', new UnreadableEntries(new Metrics(), pino({ level: 'silent' })));
    const entry = (asset: string) => ({ asset, free: '2000', locked: '0', freeze: '0', withdrawing: '0' });
    const read = readSpot(['USDT', 'LDUSDT', 'LDO'].map(entry), (id) => id, lists);
    expect(read.map(({ asset, kind }) => [asset, kind])).toEqual([
      ['USDT', undefined],
      ['USDT', 'earning'],
      ['LDO', undefined],
    ]);
  });
});
