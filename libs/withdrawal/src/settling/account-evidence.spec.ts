import fc from 'fast-check';
import type { AccountChange } from '#exchange';
import { Amount } from '#money';
import { weighAccount } from './account-evidence.js';
import type { MovementEvidence } from './movement-evidence.js';

const NET = 7;
const FEE = 2;
const START = 1_000;
const SINCE = new Date(0);

interface Entry {
  kind: AccountChange['kind'];
  change: number;
  clientRef: string | null;
  isOld: boolean;
}

const amountOf = (count: number): Amount => Amount.of(String(count));
const deposit = (change: number): Entry => ({ kind: 'other', change, clientRef: null, isOld: false });
const OLDEST: Entry = { ...deposit(1), isOld: true };

interface Shown {
  /** The newest entries that the list does not show yet. */
  hidden?: number;
  /** What the balance contains besides the entries. */
  unlisted?: number;
  held?: number;
  hasFailed?: boolean;
}

/** Weighs an account with these entries, the newest first. */
function weigh(
  entries: readonly Entry[],
  { hidden = 0, unlisted = 0, held = 0, hasFailed = false }: Shown = {},
): MovementEvidence {
  let total = START;
  const booked = [...entries].reverse().map((entry, index): AccountChange => {
    total += entry.change;
    const at = new Date(entry.isOld ? -60_000 : 60_000);
    const { kind, clientRef, change } = entry;
    return { id: String(index), kind, clientRef, change: amountOf(change), after: amountOf(total), at };
  });
  return weighAccount({
    account: { total: amountOf(total + unlisted), held: amountOf(held), changes: booked.reverse().slice(hidden) },
    since: SINCE,
    clientRef: 'ours',
    debit: { min: amountOf(NET), max: amountOf(NET + FEE) },
    hasFailed,
  });
}

const entry = fc
  .record<Entry>({
    kind: fc.constantFrom('withdrawal', 'other', 'unknown'),
    change: fc.integer({ min: -20, max: 20 }),
    clientRef: fc.constantFrom(null, 'another'),
    isOld: fc.constant(false),
  })
  .filter(({ change }) => change !== 0);
/** The debits with which an exchange can book our withdrawal: with the fee, without it, or with a lower fee. */
const ours = fc.record<Entry>({
  kind: fc.constantFrom('withdrawal', 'unknown'),
  change: fc.integer({ min: -NET - FEE, max: -NET }),
  clientRef: fc.constantFrom(null, 'ours'),
  isOld: fc.constant(false),
});

describe('the account that pays withdrawals, as evidence', () => {
  it('proves nothing by a list that does not begin with the newest change', () => {
    const at = (ms: number) => new Date(ms);
    const change = (id: string, count: number, after: number, ms: number): AccountChange => ({
      id,
      kind: 'unknown',
      clientRef: null,
      change: amountOf(count),
      after: amountOf(after),
      at: at(ms),
    });
    // Oldest first. A deposit of the same size follows our withdrawal, so that the balance is as before.
    const changes = [change('1', 1, START, -1), change('2', -NET, START - NET, 1), change('3', NET, START, 2)];
    const parts = {
      since: SINCE,
      clientRef: null,
      debit: { min: amountOf(NET), max: amountOf(NET) },
      hasFailed: false,
    };
    const account = { total: amountOf(START), held: amountOf(0), changes };
    expect(weighAccount({ ...parts, account })).toBe('incomplete');
    expect(weighAccount({ ...parts, account: { ...account, changes: changes.toReversed() } })).toBe('unexplained');
  });

  it('never proves the absence of a withdrawal that it lists, in whichever place', () => {
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 6 }), ours, fc.nat({ max: 6 }), (entries, executed, place) => {
        const all = [...entries.slice(0, place), executed, ...entries.slice(place), OLDEST];
        expect(weigh(all)).toBe('unexplained');
      }),
      { numRuns: 1_000 },
    );
  });

  it('never proves the absence of a withdrawal that it lists with our reference, whatever its time', () => {
    const executed: Entry = { kind: 'withdrawal', change: -NET, clientRef: 'ours', isOld: true };
    expect(weigh([executed, OLDEST])).toBe('unexplained');
    expect(weigh([deposit(1), OLDEST, executed])).toBe('unexplained');
  });

  it('proves that only a failed withdrawal was executed when its whole debit has returned', () => {
    const debit: Entry = { kind: 'withdrawal', change: -NET, clientRef: 'ours', isOld: false };
    const back: Entry = { ...debit, kind: 'other', change: NET };
    expect(weigh([back, debit, OLDEST], { hasFailed: true })).toBe('absent');
    expect(weigh([back, debit, OLDEST])).toBe('unexplained');
    expect(weigh([debit, back, debit, OLDEST], { hasFailed: true })).toBe('unexplained');
    expect(weigh([debit, OLDEST], { hasFailed: true })).toBe('unexplained');
  });

  it('never proves the absence of a withdrawal that its balance contains and its list does not', () => {
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 6 }), ours, (entries, { change }) => {
        expect(weigh([...entries, OLDEST], { unlisted: change })).not.toBe('absent');
      }),
    );
  });

  it('never proves the absence of a withdrawal for which it holds the amount', () => {
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 6 }), fc.integer({ min: NET, max: 50 }), (entries, held) => {
        expect(weigh([...entries, OLDEST], { held })).not.toBe('absent');
      }),
    );
  });

  it('proves the absence when every debit is another one and all changes lead to the balance', () => {
    const other = entry.filter(
      ({ kind, change, clientRef }) =>
        kind === 'other' || clientRef === 'another' || -change < NET || -change > NET + FEE,
    );
    fc.assert(
      fc.property(fc.array(other), fc.nat({ max: NET - 1 }), (entries, held) => {
        expect(weigh([...entries, OLDEST], { held })).toBe('absent');
      }),
    );
  });

  it.each([
    ['while the list lags behind the balance', [deposit(3), deposit(4), OLDEST], { hidden: 1 }],
    ['without a change from before the withdrawal was sent', [deposit(3)], {}],
    ['without any change', [], {}],
  ])('proves nothing %s', (_when, entries, shown) => {
    expect(weigh(entries, shown)).toBe('incomplete');
  });

  it('proves nothing when a change is missing between two others', () => {
    const changes: AccountChange[] = [
      { id: '3', kind: 'other', clientRef: null, change: amountOf(1), after: amountOf(1_001), at: new Date(2) },
      { id: '1', kind: 'other', clientRef: null, change: amountOf(7), after: amountOf(1_007), at: new Date(-1) },
    ];
    const account = { total: amountOf(1_001), held: Amount.zero, changes };
    const debit = { min: amountOf(7), max: amountOf(9) };
    expect(weighAccount({ account, since: SINCE, clientRef: 'ours', debit, hasFailed: false })).toBe('incomplete');
  });
});
