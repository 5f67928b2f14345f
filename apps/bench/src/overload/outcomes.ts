import { quantile } from '../stats.js';
import { NOT_SENT } from './connections.js';
import type { Outcome } from './send.js';

const HEADER = ['kind', 'status', 'count', 'p50 ms', 'p95 ms', 'max ms'];

interface Group {
  kind: string;
  status: string;
  times: number[];
}

/** The outcomes of requests, by kind and status. */
export class Outcomes {
  private readonly groups = new Map<string, Group>();

  add(kind: string, { status, ms }: Outcome): void {
    const key = `${kind} ${status}`;
    const group = this.groups.get(key);
    if (group === undefined) this.groups.set(key, { kind, status, times: [ms] });
    else group.times.push(ms);
  }

  /** @param status undefined counts all statuses */
  count(kind: string, status?: string): number {
    return [...this.groups.values()]
      .filter((group) => group.kind === kind && (status === undefined || group.status === status))
      .reduce((total, { times }) => total + times.length, 0);
  }

  /** The cells of a table with a header. */
  table(): string[][] {
    const keys = [...this.groups.keys()].sort();
    const lines = keys.map((key) => {
      const { kind, status, times } = this.groups.get(key) as Group;
      const shown = (value: number): string => Math.round(value).toLocaleString('en');
      const millis = [0.5, 0.95, 1].map((share) => (status === NOT_SENT ? '-' : shown(quantile(times, share))));
      return [kind, status, shown(times.length), ...millis];
    });
    return [HEADER, ...lines];
  }
}
