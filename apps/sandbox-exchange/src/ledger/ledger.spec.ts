import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { Amount } from '#money';
import { Exchange, Overdrawn } from '../exchange.js';
import { FileJournal, memoryJournal } from './journal.js';
import type { Account, Order } from './records.js';

const account: Account = { id: 'account', name: 'one', settle: 'manual', createdAt: 0 };
const ASSETS = ['XXBT', 'XETH'] as const;

type Step =
  | { kind: 'in' | 'out'; asset: string; amount: string; fee: string }
  | { kind: 'order'; id: string; asset: string; amount: string; open: boolean }
  | { kind: 'history'; seed: string; deposits: number; withdrawals: number };

const amount = fc.nat({ max: 2000 }).map((cents) => (cents / 100).toFixed(2));
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('in' as const, 'out' as const),
    asset: fc.constantFrom(...ASSETS),
    amount,
    fee: fc.constantFrom('0', '0.01'),
  }),
  fc.record({
    kind: fc.constant('order' as const),
    id: fc.constantFrom('a', 'b'),
    asset: fc.constantFrom(...ASSETS),
    amount,
    open: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('history' as const),
    seed: fc.string({ minLength: 1, maxLength: 4 }),
    deposits: fc.nat({ max: 6 }),
    withdrawals: fc.nat({ max: 6 }),
  }),
);

function order({ id, asset, amount: held, open }: Extract<Step, { kind: 'order' }>): Order {
  return {
    id,
    accountId: account.id,
    pair: 'XXBTZUSD',
    side: 'sell',
    type: 'limit',
    status: open ? 'open' : 'canceled',
    clientOrderId: null,
    userref: null,
    limitPrice: '1',
    volume: held,
    executedVolume: '0',
    cost: '0',
    fee: '0',
    averagePrice: '0',
    oflags: '',
    timeInForce: 'GTC',
    hold: { asset, amount: held },
    openedAt: 0,
    closedAt: null,
    reason: null,
  };
}

/** Carries out a step. A step that would overdraw is refused and changes nothing. */
function take(exchange: Exchange, one: Step): void {
  const now = new Date(0);
  try {
    if (one.kind === 'order') {
      return exchange.commit({ order: order(one) });
    }
    if (one.kind === 'history') {
      const { seed, deposits, withdrawals } = one;
      const span = { from: 1000, to: 2000 };
      const assets = [...ASSETS];
      const history = { accountId: account.id, seed, assets, deposits, withdrawals, ...span, isPartner: false };
      return exchange.commit({ history });
    }
    const signed = one.kind === 'in' ? Amount.of(one.amount) : Amount.zero.minus(Amount.of(one.amount));
    const posting = {
      asset: one.asset,
      type: 'transfer' as const,
      refid: 'r',
      amount: signed,
      fee: Amount.of(one.fee),
    };
    exchange.commit({}, { account, now, postings: [posting] });
  } catch (error) {
    if (!(error instanceof Overdrawn)) throw error;
  }
}

function picture(exchange: Exchange): unknown {
  const book = exchange.bookOf(account.id);
  return {
    entries: [...book.entries.values()],
    records: [...book.deposits.values(), ...book.withdrawals.values()],
    orders: [...book.orders],
    balances: ASSETS.map((asset) => [book.total(asset).toString(), book.held(asset).toString()]),
  };
}

describe('the ledger', () => {
  it('has balances that equal the sums of its entries and never fall below zero or below the funds held for orders', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const exchange = new Exchange(memoryJournal, 0);
        exchange.commit({ account });
        for (const one of steps) {
          take(exchange, one);
          const book = exchange.bookOf(account.id);
          expect([...book.entries.values()].some(({ balance }) => Amount.of(balance).isNegative())).toBe(false);
          for (const asset of ASSETS) {
            const sum = [...book.entries.values()]
              .filter((entry) => entry.asset === asset)
              .reduce((total, entry) => total.plus(Amount.of(entry.amount)).minus(Amount.of(entry.fee)), Amount.zero);
            expect(sum.equals(book.total(asset))).toBe(true);
            expect(book.total(asset).isNegative()).toBe(false);
            expect(book.free(asset).isNegative()).toBe(false);
          }
        }
      }),
    );
  });

  it('is the same after a replay of its journal', () => {
    const directory = mkdtempSync(path.join(tmpdir(), 'sandbox-ledger-'));
    let run = 0;
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        const file = path.join(directory, `${run++}.jsonl`);
        const exchange = new Exchange(new FileJournal(file), 0);
        exchange.commit({ account });
        for (const one of steps) take(exchange, one);
        exchange.close();
        const again = new Exchange(new FileJournal(file), 0);
        expect(picture(again)).toEqual(picture(exchange));
        again.close();
      }),
      { numRuns: 30 },
    );
    rmSync(directory, { recursive: true });
  });

  it('keeps order books, pair statuses and deposit methods after a restart', () => {
    const directory = mkdtempSync(path.join(tmpdir(), 'sandbox-ledger-'));
    const file = path.join(directory, 'ledger.jsonl');
    const offers = { bids: [{ price: '1', volume: '2' }], asks: [] };
    const terms = { asset: 'SOL', method: 'Solana', terms: { listed: false } };
    const first = new Exchange(new FileJournal(file), 0);
    first.commit({ depth: { pair: 'one', offers } });
    first.commit({ depth: { pair: 'two', offers } });
    first.commit({ depth: { pair: 'two', offers: null } });
    first.commit({ pairStatus: { pair: 'one', status: 'post_only' }, depositTerms: terms });
    first.close();
    const second = new Exchange(new FileJournal(file), 0);
    const market = () => [second.depths, second.pairStatuses, second.depositTerms].map((map) => [...map]);
    expect(market()).toEqual([[['one', offers]], [['one', 'post_only']], [['SOL Solana', { listed: false }]]]);
    second.reset();
    expect(market()).toEqual([[], [], []]);
    second.close();
    rmSync(directory, { recursive: true });
  });

  it('drops the last line of the journal when a crash has cut it, and continues with a new line', () => {
    const directory = mkdtempSync(path.join(tmpdir(), 'sandbox-ledger-'));
    const file = path.join(directory, 'new', 'ledger.jsonl');
    const first = new Exchange(new FileJournal(file), 0);
    first.commit({ account });
    first.close();
    appendFileSync(file, '{"account":{"id":"té');
    const second = new Exchange(new FileJournal(file), 0);
    second.commit({ account: { ...account, id: 'two' } });
    second.close();
    const third = new Exchange(new FileJournal(file), 0);
    expect([...third.books.keys()]).toEqual(['account', 'two']);
    third.close();
    expect(readFileSync(file, 'utf8').endsWith('\n')).toBe(true);
    rmSync(directory, { recursive: true });
  });

  it('refuses a journal with an invalid line that is not the last', () => {
    const directory = mkdtempSync(path.join(tmpdir(), 'sandbox-ledger-'));
    const file = path.join(directory, 'ledger.jsonl');
    appendFileSync(file, `not a line of ours\n${JSON.stringify({ account })}\n`);
    expect(() => new Exchange(new FileJournal(file), 0)).toThrow('line 1');
    rmSync(directory, { recursive: true });
  });
});
