import fc from 'fast-check';
import type { AccountMovement } from '#exchange';
import { Amount } from '#money';
import { weighMovements } from './movement-evidence.js';

const OURS = -7;

interface Entry {
  kind: AccountMovement['kind'];
  change: number;
  /** Before the withdrawal may have been sent. */
  isOld: boolean;
  isKnown: boolean;
}

const entry = fc
  .record<Entry>({
    kind: fc.constantFrom('withdrawal', 'other', 'unknown'),
    change: fc.integer({ min: -9, max: 9 }),
    isOld: fc.boolean(),
    isKnown: fc.boolean(),
  })
  .filter(({ change }) => change !== 0);

/** An account as its exchange keeps it: a ledger, newest first, and the balances that come of it. */
function weigh(entries: Entry[], { isExecuted, hidden = 0 }: { isExecuted: boolean; hidden?: number }) {
  const own: Entry[] = isExecuted ? [{ kind: 'withdrawal', change: OURS, isOld: false, isKnown: false }] : [];
  const newer = [...entries.filter(({ isOld }) => !isOld), ...own];
  const older = entries.filter(({ isOld }) => isOld);
  const sum = (of: Entry[]): number => of.reduce((total, { change }) => total + change, 1_000);
  const movements = [...newer, ...older].map(({ kind, change, isKnown }, index): AccountMovement => ({
    id: `L${index}`,
    kind,
    reference: kind === 'withdrawal' ? `${isKnown ? 'known' : 'open'}-${index}` : null,
    change: Amount.of(String(change)),
    at: new Date(0),
  }));
  return weighMovements({
    balanceBefore: Amount.of(String(sum(older))),
    balanceNow: Amount.of(String(sum([...newer, ...older]))),
    movements: movements.slice(hidden),
    isKnown: (id) => id.startsWith('known'),
  });
}

describe('the movements of an account as evidence', () => {
  it('never prove the absence of a withdrawal that they show', () => {
    fc.assert(
      fc.property(fc.array(entry), (entries) => {
        expect(weigh(entries, { isExecuted: true })).not.toBe('absent');
      }),
    );
  });

  it('prove the absence where all is told and every withdrawal is another one', () => {
    const told = entry.map((each): Entry => ({
      ...each,
      isKnown: true,
      kind: each.kind === 'unknown' ? 'other' : each.kind,
    }));
    fc.assert(
      fc.property(fc.array(told), (entries) => {
        expect(weigh(entries, { isExecuted: false })).toBe('absent');
      }),
    );
  });

  it('do not prove it while the ledger lags behind the balance', () => {
    const trade: Entry = { kind: 'other', change: -3, isOld: false, isKnown: true };
    expect(weigh([trade], { isExecuted: false, hidden: 1 })).toBe('incomplete');
    expect(weigh([trade], { isExecuted: false })).toBe('absent');
  });

  it.each<[string, Entry]>([
    ['a withdrawal that nobody knows', { kind: 'withdrawal', change: -3, isOld: false, isKnown: false }],
    ['a movement of an unknown kind that left', { kind: 'unknown', change: -3, isOld: false, isKnown: true }],
    [
      'an older withdrawal that nobody knows: clocks may differ',
      { kind: 'withdrawal', change: -3, isOld: true, isKnown: false },
    ],
  ])('leave open: %s', (_what, open) => {
    expect(weigh([open], { isExecuted: false })).toBe('unexplained');
  });

  it('count what came in as no withdrawal, whatever its kind', () => {
    expect(weigh([{ kind: 'unknown', change: 4, isOld: false, isKnown: false }], { isExecuted: false })).toBe('absent');
  });
});
