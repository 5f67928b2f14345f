import { Amount } from '#money';
import { Random } from '../world/random.js';

/** One of many changes of an account. */
export interface BusinessEntry {
  id: string;
  kind: 'withdrawal' | 'other' | 'unknown';
  reference: string | null;
  /** In units of the asset's smallest part here: sums of whole numbers are quick. */
  units: number;
  /** Milliseconds of virtual time. */
  bookedAt: number;
  /** The same by the clock of the exchange. */
  at: Date;
}

export interface BusinessTraits {
  /** From one entry to the next, on average. */
  paceMs: number;
  /** Some entries are of a kind that the connector does not know. */
  isOdd: boolean;
}

const UNIT = Amount.of('0.00001');
/** The first entries are from before the run. */
const BEGINS_MS = -120_000;
const ODD_RATE = 0.1;
const WITHDRAWAL_RATE = 0.2;

/**
 * Everything else that happens in an account: trades, deposits, and withdrawals to other addresses. No entry waits for a
 * step of its own: those that are due are made when the account is looked at, with random numbers of their own.
 */
export class Business {
  readonly entries: BusinessEntry[] = [];
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

  /** The sum of all entries. */
  get total(): Amount {
    return amountOf(this.totalUnits);
  }

  /** Makes the entries that are due at `moment`. */
  goOn(moment: number): void {
    while (this.nextAt <= moment) {
      this.add(this.nextAt);
      this.nextAt += this.random.between(1, 2 * this.traits.paceMs);
    }
  }

  private add(bookedAt: number): void {
    const { random } = this;
    const number = this.entries.length + 1;
    const size = random.between(100, 999);
    const isWithdrawal = random.chance(WITHDRAWAL_RATE);
    const isOut = isWithdrawal || (this.totalUnits > 0 && random.chance(0.7));
    const units = isOut ? -size : size;
    this.totalUnits += units;
    this.entries.push({
      ...{ id: `L${number}`, units, bookedAt, at: this.timeOf(bookedAt) },
      kind: isWithdrawal ? 'withdrawal' : this.traits.isOdd && random.chance(ODD_RATE) ? 'unknown' : 'other',
      reference: isWithdrawal ? `O${number}` : null,
    });
  }
}

export function amountOf(units: number): Amount {
  return Amount.of(String(Math.abs(units))).times(units < 0 ? Amount.zero.minus(UNIT) : UNIT);
}
