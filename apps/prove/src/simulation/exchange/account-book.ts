import type { AccountMovement } from '#exchange';
import type { Amount } from '#money';

/** One change of an account's holdings. */
export interface Change extends Omit<AccountMovement, 'after'> {
  /** Milliseconds of virtual time; `at` is the same moment by the clock of the exchange. */
  bookedAt: number;
}

interface Line {
  change: Change;
  /** The change with the total after it; null = the total is not computed yet. */
  movement: AccountMovement | null;
}

/**
 * All changes of an account's holdings, sorted by time. The running totals are stored, because thousands of changes are
 * read often.
 */
export class AccountBook {
  private readonly lines: Line[] = [];
  /** Number of lines whose totals are computed. The next call of `movements` computes the rest. */
  private added = 0;

  constructor(
    private readonly holding: string,
    /** The holdings before the first change. */
    private readonly opened: () => Amount,
  ) {}

  add(change: Change): void {
    let place = this.lines.length;
    while (place > 0 && (this.lines[place - 1]?.change.bookedAt ?? 0) > change.bookedAt) place -= 1;
    this.lines.splice(place, 0, { change, movement: null });
    this.added = Math.min(this.added, place);
  }

  /** Every change since `since`, as the exchange showed it at `moment`, newest first. */
  movements(since: Date, moment: number): AccountMovement[] {
    this.addUp();
    const shown: AccountMovement[] = [];
    for (let index = this.lines.length - 1; index >= 0; index--) {
      const { change, movement } = this.lines[index];
      if (movement !== null && change.bookedAt <= moment && change.at >= since) shown.push(movement);
    }
    return shown;
  }

  private addUp(): void {
    let total = this.lines[this.added - 1]?.movement?.after?.total ?? this.opened();
    for (; this.added < this.lines.length; this.added++) {
      const line = this.lines[this.added];
      const { bookedAt: _, ...movement } = line.change;
      total = total.plus(movement.change);
      line.movement = { ...movement, after: { holding: this.holding, total } };
    }
  }
}
