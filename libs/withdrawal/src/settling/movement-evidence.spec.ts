import fc from 'fast-check';
import type { AccountMovement } from '#exchange';
import { Amount } from '#money';
import { weighMovements, type MovementEvidence } from './movement-evidence.js';

const OURS = -7;
const START = 1_000;

interface Entry {
  kind: AccountMovement['kind'];
  change: number;
  /** Whether the movement is from before the earliest moment of sending. */
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

/** The entries that the exchange's ledger hides, and the place of the withdrawal among the newer entries. */
interface Truth {
  /** Number of entries that were booked after the withdrawal; null = it was not executed. */
  oursAfter: number | null;
  isOursHidden: boolean;
  /** Number of newest entries that the ledger does not show yet. */
  hidden: number;
  tellsBalances: boolean;
}

const truth = (facts: Partial<Truth>): Truth => ({
  oursAfter: null,
  isOursHidden: false,
  hidden: 0,
  tellsBalances: true,
  ...facts,
});

/** Weighs an account at the exchange: builds its ledger, newest first, and the resulting balances. */
function weigh(entries: Entry[], { oursAfter, isOursHidden, hidden, tellsBalances }: Truth): MovementEvidence {
  const older = entries.filter(({ isOld }) => isOld);
  const newer = entries.filter(({ isOld }) => !isOld);
  const ours: Entry = { kind: 'withdrawal', change: OURS, isOld: false, isKnown: false };
  const place = Math.min(oursAfter ?? 0, newer.length);
  const all = [...newer.slice(0, place), ...(oursAfter === null ? [] : [ours]), ...newer.slice(place), ...older];
  let total = START;
  const booked = all
    .map((each, index) => ({ each, id: `L${index}` }))
    .reverse()
    .map(({ each, id }) => {
      total += each.change;
      return { each, id, after: total };
    })
    .reverse();
  const movements = booked
    .filter(({ each }) => !(isOursHidden && each === ours))
    .slice(hidden)
    .map(({ each, id, after }): AccountMovement => ({
      id,
      kind: each.kind,
      reference: each.kind === 'withdrawal' ? `${each.isKnown ? 'known' : 'open'}-${id}` : null,
      change: Amount.of(String(each.change)),
      at: new Date(each.isOld ? -600_000 : 600_000),
      ...(tellsBalances && { after: { holding: 'BTC', total: Amount.of(String(after)) } }),
    }));
  const sumOfOlder = older.reduce((sum, { change }) => sum + change, START);
  return weighMovements({
    debits: [Amount.of(String(-OURS))],
    totalBefore: Amount.of(String(sumOfOlder)),
    totalNow: Amount.of(String(total)),
    holdings: new Map([['BTC', Amount.of(String(total))]]),
    movements,
    sentBetween: [new Date(-60_000), new Date(60_000)],
    isKnown: ({ reference }) => reference?.startsWith('known') === true,
  });
}

describe('the movements of an account as evidence', () => {
  it('never prove the absence of an executed withdrawal, whether or not the ledger shows it', () => {
    const executed = fc.record<Truth>({
      oursAfter: fc.nat({ max: 4 }),
      isOursHidden: fc.boolean(),
      hidden: fc.constant(0),
      tellsBalances: fc.constant(true),
    });
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 8 }), executed, (entries, facts) => {
        expect(weigh(entries, facts)).not.toBe('absent');
      }),
      { numRuns: 2_000 },
    );
  });

  it('prove the absence when the ledger is complete and each of its withdrawals is known to be another withdrawal', () => {
    const told = entry.map((each): Entry => ({
      ...each,
      isKnown: true,
      kind: each.kind === 'unknown' ? 'other' : each.kind,
    }));
    fc.assert(
      fc.property(fc.array(told), (entries) => {
        expect(weigh(entries, truth({}))).toBe('absent');
      }),
    );
  });

  it('are incomplete when an older payment of the same amount takes the place of a hidden payment', () => {
    const older: Entry = { kind: 'withdrawal', change: OURS, isOld: true, isKnown: true };
    for (const tellsBalances of [true, false]) {
      expect(weigh([older], truth({ oursAfter: 0, isOursHidden: true, tellsBalances }))).toBe('incomplete');
    }
  });

  it('are incomplete when a deposit of the same amount offsets a hidden withdrawal', () => {
    const deposit: Entry = { kind: 'other', change: -OURS, isOld: false, isKnown: true };
    for (const tellsBalances of [true, false]) {
      expect(weigh([deposit], truth({ oursAfter: 1, isOursHidden: true, tellsBalances }))).toBe('incomplete');
    }
  });

  it('do not prove the absence while the ledger lags behind the balance', () => {
    const trade: Entry = { kind: 'other', change: -3, isOld: false, isKnown: true };
    expect(weigh([trade], truth({ hidden: 1 }))).toBe('incomplete');
    expect(weigh([trade], truth({}))).toBe('absent');
    expect(weigh([trade], truth({ tellsBalances: false }))).toBe('absent');
  });

  it.each<[string, Entry]>([
    ['a withdrawal that is not known', { kind: 'withdrawal', change: -3, isOld: false, isKnown: false }],
    ['an outgoing movement of an unknown kind', { kind: 'unknown', change: -3, isOld: false, isKnown: true }],
  ])('leave the outcome open because of %s', (_what, open) => {
    expect(weigh([open], truth({}))).toBe('unexplained');
  });

  it('prove the absence despite an equal withdrawal that the balance before sending already contains', () => {
    const earlier: Entry = { kind: 'withdrawal', change: OURS, isOld: true, isKnown: false };
    expect(weigh([earlier], truth({}))).toBe('absent');
    // An earlier time alone does not prove that a movement is older than the withdrawal, because clocks may differ.
    expect(weigh([{ ...earlier, change: -3 }], truth({ tellsBalances: false }))).toBe('unexplained');
  });

  it('leave the outcome open when movements that add up to zero include a withdrawal that is not known', () => {
    const refund: Entry = { kind: 'other', change: 3, isOld: true, isKnown: true };
    const open: Entry = { kind: 'withdrawal', change: -3, isOld: true, isKnown: false };
    expect(weigh([refund, open], truth({}))).toBe('unexplained');
  });

  it('never count an incoming movement as a withdrawal', () => {
    expect(weigh([{ kind: 'unknown', change: 4, isOld: false, isKnown: false }], truth({}))).toBe('absent');
  });
});
