import { NOT_SENT } from './connections.js';
import { Outcomes } from './outcomes.js';

describe('the outcomes of an overload', () => {
  const outcomes = new Outcomes();
  for (let ms = 100; ms >= 1; ms--) outcomes.add('wallet', { status: '200', ms });
  outcomes.add('wallet', { status: '503', ms: 1_234.5 });
  outcomes.add('list', { status: 'timed out', ms: 15_000 });
  outcomes.add('list', { status: NOT_SENT, ms: 0 });

  it('are counted by kind and status', () => {
    expect([outcomes.count('wallet'), outcomes.count('wallet', '200'), outcomes.count('tickers')]).toEqual([
      101, 100, 0,
    ]);
  });

  it('are shown in a line for each kind and status', () => {
    expect(outcomes.table().slice(1)).toEqual([
      ['list', 'not sent', '1', '-', '-', '-'],
      ['list', 'timed out', '1', '15,000', '15,000', '15,000'],
      ['wallet', '200', '100', '51', '96', '100'],
      ['wallet', '503', '1', '1,235', '1,235', '1,235'],
    ]);
  });
});
