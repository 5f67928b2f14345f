import { Amount } from '#money';
import { Random } from '../world/random.js';
import type { Change } from './account-book.js';

/** A change of a busy account that is not a payment of ours. */
export type BusinessEntry = Change;

export interface BusinessTraits {
  /** Average time from one entry to the next. */
  paceMs: number;
  /** Whether some entries are of a kind that the connector does not know. */
  isOdd: boolean;
}

/** Time of the first entries, which is before the start of the run. */
const BEGINS_MS = -120_000;
const ODD_RATE = 0.1;
const WITHDRAWAL_RATE = 0.2;

/**
 * The changes of an account that are not payments: trades, deposits, and withdrawals to other addresses. They are not
 * steps of the run: each read of the account first makes the changes that are due. They have a separate sequence of
 * random numbers.
 */
export class Business {
  private count = 0;
  /** The holdings in the smallest unit of the asset, because sums of whole numbers are fast. */
  private totalUnits = 0;
  private readonly random: Random;
  private nextAt = BEGINS_MS;

  constructor(
    seed: number,
    private readonly traits: BusinessTraits,
    private readonly timeOf: (moment: number) => Date,
  ) {
    this.random = new Random(seed);
  }

  /** Makes the entries that are due at `moment`. */
  dueBy(moment: number): BusinessEntry[] {
    const entries: BusinessEntry[] = [];
    while (this.nextAt <= moment) {
      entries.push(this.entryAt(this.nextAt));
      this.nextAt += this.random.between(1, 2 * this.traits.paceMs);
    }
    return entries;
  }

  private entryAt(bookedAt: number): BusinessEntry {
    const { random } = this;
    this.count += 1;
    const size = random.between(100, 999);
    const isWithdrawal = random.chance(WITHDRAWAL_RATE);
    const isOut = isWithdrawal || (this.totalUnits > 0 && random.chance(0.7));
    this.totalUnits += isOut ? -size : size;
    return {
      id: `L${this.count}`,
      change: amountOf(isOut ? -size : size),
      bookedAt,
      at: this.timeOf(bookedAt),
      kind: isWithdrawal ? 'withdrawal' : this.traits.isOdd && random.chance(ODD_RATE) ? 'unknown' : 'other',
      reference: isWithdrawal ? `O${this.count}` : null,
    };
  }
}

function amountOf(units: number): Amount {
  return Amount.of(`${units}e-5`);
}
