import { Injectable } from '@nestjs/common';
import { SealedTables, type ResealableRows } from './sealed-tables.js';
import { CannotOpen, Vault } from './vault.js';

/** Rows that are sealed again at the same time. */
const ROWS_AT_ONCE = 4;
/** How often a table is read again for rows that a concurrent write has changed. */
const PASSES_MAX = 5;
/** Maximum number of rows that cannot be opened and that the result names. */
const NAMED_MAX = 20;

export interface ResealProgress {
  table: string;
  done: number;
  /** Rows of the table with another key: at first those at the beginning, at the end those that are left. */
  total: number;
}

export interface ResealResult {
  resealed: number;
  /** Rows that cannot be opened. They are left as they are. */
  unreadable: number;
  /** The first of these rows, as table and id. */
  unreadableRows: string[];
  /** Rows that are still sealed with other keys, because other processes have written them meanwhile. */
  left: number;
}

/**
 * Seals all stored records again with the primary key of the vault, in batches. Each row is written only while it is
 * the one that was read, so a concurrent write is never overwritten. A second run continues where the first one was
 * killed, because each run takes only rows with other keys.
 */
@Injectable()
export class ResealRecords {
  constructor(
    private readonly vault: Vault,
    private readonly tables: SealedTables,
  ) {}

  /**
   * @param options.batch number of rows that one query lists.
   * @throws KeysUnavailable when the service of a key cannot answer. The rows until then are sealed again.
   */
  async execute(options: { batch: number; onProgress: (progress: ResealProgress) => void }): Promise<ResealResult> {
    const result: ResealResult = { resealed: 0, unreadable: 0, unreadableRows: [], left: 0 };
    for (const [table, { rows }] of this.tables.list()) {
      if (rows !== null) await this.resealTable(table, rows, { ...options, result });
    }
    return result;
  }

  private async resealTable(
    table: string,
    rows: ResealableRows,
    { batch, onProgress, result }: Parameters<ResealRecords['execute']>[0] & { result: ResealResult },
  ): Promise<void> {
    const primary = this.vault.keys[0]?.id ?? '';
    const total = await rows.countOther(primary);
    const unreadable = new Set<string>();
    let done = 0;
    for (let pass = 0; pass < PASSES_MAX; pass++) {
      let changed = 0;
      for (let after: string | null = null; ;) {
        const ids = await rows.listOther(primary, after, batch);
        const outcomes = await inTurns(ids, (id) => resealRow(rows, id));
        const ofOutcome = (wanted: Outcome): string[] => ids.filter((_, index) => outcomes[index] === wanted);
        for (const id of ofOutcome('unreadable')) unreadable.add(id);
        done += ofOutcome('resealed').length;
        changed += ofOutcome('changed').length;
        onProgress({ table, done, total: Math.max(total, done) });
        if (ids.length < batch) break;
        after = ids.at(-1) ?? null;
      }
      if (changed === 0) break;
    }
    result.resealed += done;
    result.unreadable += unreadable.size;
    const names = [...unreadable].map((id) => `${table} ${id}`);
    result.unreadableRows = [...result.unreadableRows, ...names].slice(0, NAMED_MAX);
    const left = Math.max(0, (await rows.countOther(primary)) - unreadable.size);
    onProgress({ table, done, total: done + left + unreadable.size });
    result.left += left;
  }
}

type Outcome = 'resealed' | 'changed' | 'unreadable';

async function resealRow(rows: ResealableRows, id: string): Promise<Outcome> {
  try {
    return (await rows.reseal(id)) ? 'resealed' : 'changed';
  } catch (error) {
    if (error instanceof CannotOpen) return 'unreadable';
    throw error;
  }
}

/** Runs `work` for each id, some of them at the same time. */
async function inTurns(ids: readonly string[], work: (id: string) => Promise<Outcome>): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (let index = 0; index < ids.length; index += ROWS_AT_ONCE) {
    outcomes.push(...(await Promise.all(ids.slice(index, index + ROWS_AT_ONCE).map(work))));
  }
  return outcomes;
}
