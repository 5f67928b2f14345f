import { documentedTransfers } from '../../testing/contract/documented-transfers.js';
import { readTransfer } from './coinbase-responses.js';
import { mergedPages } from './coinbase-transactions.js';

const DAY_MS = 86_400_000;
const timeOf = (day: number): Date => new Date(day * DAY_MS);
/** Coinbase's page track-apis/transactions: the fields that tell the time and the kind of a transaction. */
const transaction = (account: string, day: number): object => ({
  id: `${account} ${day}`,
  type: 'send',
  amount: { amount: '1', currency: 'BTC' },
  created_at: timeOf(day).toISOString(),
});

/** Reads one page of the history of accounts with a transaction on each of these days, one on a page. */
async function readFirstPage(accounts: Readonly<Record<string, readonly number[]>>) {
  const read: string[] = [];
  const page = mergedPages({
    exchange: 'coinbase',
    accountIds: () => Promise.resolve(Object.keys(accounts)),
    fetch: (account, _since, cursor) => {
      const days = accounts[account] ?? [];
      const at = Number(cursor ?? '0');
      read.push(`${account} ${days[at]}`);
      const nextCursor = at + 1 < days.length ? String(at + 1) : null;
      return Promise.resolve({ entries: [transaction(account, days[at] ?? 0)], nextCursor });
    },
  });
  return { read, page: await page('deposit', { since: timeOf(1), until: timeOf(200) }, null) };
}

const daysFrom = (first: number, count: number, step: number): number[] =>
  Array.from({ length: count }, (_, index) => first - index * step);

describe('the merged history of accounts at Coinbase', () => {
  it('reads next the account that has been read the least far back', async () => {
    const { read } = await readFirstPage({ a: daysFrom(100, 5, 10), b: daysFrom(95, 3, 20) });
    expect(read).toEqual(['a 100', 'b 95', 'a 90', 'b 75', 'a 80', 'a 70', 'b 55', 'a 60']);
  });

  it('has been read as far back as the account of which the least was read', async () => {
    const { page } = await readFirstPage({ a: daysFrom(150, 40, 1), b: daysFrom(120, 40, 1) });
    expect(page.nextCursor).not.toBeNull();
    expect(page.entries).toHaveLength(20);
    expect(page.reachedAt).toEqual(timeOf(132));
  });
});

describe('a withdrawal in the history of an account at Coinbase', () => {
  const { entry } = documentedTransfers['coinbase']?.withdrawal ?? { entry: {} };
  const read = (changes: object) => readTransfer('withdrawal', { ...entry, ...changes }, (id) => id);

  it('is unreadable when its fee and what arrives do not add up to what was debited', () => {
    expect(read({})).toMatchObject({ exchangeId: '57ffb4ae-0c59-5430-bcd3-3f98f797a66c' });
    expect(() => read({ amount: { amount: '-0.00134', currency: 'BTC' } })).toThrow();
  });
});
