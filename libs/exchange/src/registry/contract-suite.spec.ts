import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Amount } from '#money';
import { projectRoot } from '#platform/testing';
import { exchangeFiles } from '../new-exchange/new-exchange.js';
import { withoutAmount } from '../testing/contract/history-rules.js';
import { rules } from '../testing/contract/index.js';
import { exchanges } from './exchanges.js';

it.each(Object.entries(exchanges))('EX-00 the contract suite has a file for %s', (id, { spec }) => {
  const name = `${id}-contract.spec.ts`;
  const file = path.join(projectRoot, 'libs/exchange/src/exchanges', id, name);
  expect(readFileSync(file, 'utf8')).toBe(exchangeFiles(projectRoot, id, spec.name)[name]);
});

describe('the rules of the contract suite', () => {
  it('have ids such as EX-01, each for one rule only', () => {
    const ids = rules.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)]);
    for (const id of ids) expect(id).toMatch(/^EX-\d\d$/);
  });

  it('can replace the amount of a record by an unreadable text, whatever the type and the sign of the amount', () => {
    // docs.bitfinex.com/reference/rest-auth-movements: "positive for deposits, negative for withdrawals"
    for (const sent of ['0.5', '-0.5', 0.5, -0.5]) {
      expect(withoutAmount(['a1', { amount: sent }], Amount.of('0.5'))).toEqual(['a1', { amount: 'much' }]);
    }
    expect(() => withoutAmount({ amount: '0.25' }, Amount.of('0.5'))).toThrow('does not contain the amount');
  });
});
