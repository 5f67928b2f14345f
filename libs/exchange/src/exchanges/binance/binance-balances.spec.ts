import { readBalances, withEarning } from './binance-responses.js';
import { pino } from 'pino';
import { Metrics } from '#platform/metrics';
import { ListReader, UnreadableEntries } from '../../transport/list-reader.js';

describe('the spot account at Binance', () => {
  const lists = new ListReader('binance', new UnreadableEntries(new Metrics(), pino({ level: 'silent' })));
  const entry = (asset: string) => ({ asset, free: '2000', locked: '0', freeze: '0', withdrawing: '0' });
  const kindsOf = (assets: string[], coins: Record<string, boolean> | null) => {
    const read = withEarning(
      readBalances(assets.map(entry), (id) => id, lists),
      coins && new Map(Object.entries(coins)),
    );
    return read.map(({ asset, kind }) => [asset, kind]);
  };

  it('counts an asset in Simple Earn as earning, and not as an asset of its own', () => {
    const expected = [
      ['USDT', undefined],
      ['USDT', 'earning'],
      ['LDO', undefined],
    ];
    expect(kindsOf(['USDT', 'LDUSDT', 'LDO'], { USDT: true, LDUSDT: false, LDO: true })).toEqual(expected);
    expect(kindsOf(['USDT', 'LDUSDT', 'LDO'], {})).toEqual(expected);
    expect(kindsOf(['USDT', 'LDUSDT', 'LDO'], null)).toEqual(expected);
  });

  it('keeps a coin whose own name begins with LD', () => {
    expect(kindsOf(['LDUSDT'], { USDT: true, LDUSDT: true })).toEqual([['LDUSDT', undefined]]);
    expect(kindsOf(['LDFOO'], { LDFOO: false })).toEqual([['LDFOO', undefined]]);
  });

  it('counts an asset with such a name as earning when Binance lists no coin of this name', () => {
    expect(kindsOf(['LDBNB'], { USDT: true })).toEqual([['BNB', 'earning']]);
  });
});
