import { Clock } from '#platform/clock';
import { Nonces } from './nonces.js';

interface Row {
  last: number;
  holder: string | null;
  /** The end of the exclusive right, in monotonic time. */
  exclusiveUntil: number;
}

/** Nonces that are kept in memory instead of the database. */
export class MemoryNonces extends Nonces {
  private readonly rows = new Map<string, Row>();

  constructor(private readonly time: Clock = new Clock()) {
    super(time);
  }

  protected tryTake(owner: Buffer, holder: string | null, exclusiveMs: number): Promise<number | null> {
    const key = owner.toString('hex');
    const now = this.time.monotonicMs();
    const before = this.rows.get(key);
    if (before !== undefined && before.holder !== null && before.exclusiveUntil > now) return Promise.resolve(null);
    const last = Math.max((before?.last ?? 0) + 1, this.time.now().getTime());
    this.rows.set(key, { last, holder, exclusiveUntil: now + exclusiveMs });
    return Promise.resolve(last);
  }

  protected leftMs(owner: Buffer): Promise<number> {
    const { holder = null, exclusiveUntil = 0 } = this.rows.get(owner.toString('hex')) ?? {};
    return Promise.resolve(holder === null ? 0 : Math.max(exclusiveUntil - this.time.monotonicMs(), 0));
  }

  protected release(owner: Buffer, holder: string): Promise<void> {
    const row = this.rows.get(owner.toString('hex'));
    if (row?.holder === holder) row.holder = null;
    return Promise.resolve();
  }
}
