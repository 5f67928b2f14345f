import { faultKindNames, type FaultKind } from './faults.js';
import type { Facts } from './oracle.js';
import { pointNames, type PointName } from './points.js';

/** Counts the combinations of a reached crash point and a fault that affected a call. */
export class Coverage {
  private readonly visits = new Map<string, number>();

  /** @param points the crash points that schedules can reach */
  constructor(private readonly points: readonly PointName[] = pointNames) {}

  add({ crashed, fired }: Pick<Facts, 'crashed' | 'fired'>): void {
    for (const point of crashed.length === 0 ? (['none'] as const) : crashed) {
      for (const fault of fired.length === 0 ? (['none'] as const) : fired) {
        const key = keyOf(point, fault);
        this.visits.set(key, (this.visits.get(key) ?? 0) + 1);
      }
    }
  }

  get visited(): number {
    return this.visits.size;
  }

  get share(): number {
    return this.visited / this.cells;
  }

  /** Number of all combinations. */
  get cells(): number {
    return this.points.length * faultKindNames.length;
  }

  /** Combinations that no schedule has reached, as `point × fault`. */
  missing(): string[] {
    const all = this.points.flatMap((point) => faultKindNames.map((fault) => keyOf(point, fault)));
    return all.filter((key) => !this.visits.has(key));
  }

  /** Returns the visits as a table, with a line for each point and a column for each fault. */
  table(): string {
    const width = Math.max(...this.points.map((point) => point.length));
    const legend = faultKindNames.map((fault, index) => `${String(index + 1).padStart(width)}  ${fault}`);
    const head = `${' '.repeat(width)} ${faultKindNames.map((_, index) => String(index + 1).padStart(3)).join('')}`;
    const lines = this.points.map((point) => {
      const counts = faultKindNames.map((fault) => this.visits.get(keyOf(point, fault)) ?? 0);
      return `${point.padStart(width)} ${counts.map((count) => (count === 0 ? '.' : String(count)).padStart(3)).join('')}`;
    });
    return [...legend, head, ...lines].join('\n');
  }
}

function keyOf(point: PointName, fault: FaultKind): string {
  return `${point} × ${fault}`;
}
