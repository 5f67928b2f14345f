import { DataSource } from 'typeorm';
import { DatabaseNonces, MemoryNonces, type Nonces } from '#exchange/testing';
import type { Clock } from '#platform/clock';
import { Database, type NamedStatement } from '#platform/database';
import { onOwnPostgres } from '../own-postgres.js';
import type { StoreKind } from '../simulation/index.js';
import type { VirtualTime } from './virtual-time.js';

const PORT = 56_700;
/** Virtual time of a message from a process to the source of its nonces. */
const ONE_WAY_MS = 2;

export interface WireNonces {
  of(clock: Clock): Nonces;
  close(): Promise<void>;
}

/**
 * Opens the source of nonces: memory, or PostgreSQL with the product's own statements. Call this function before
 * `VirtualTime.install`, because PostgreSQL starts in real time.
 */
export async function openNonces(kind: StoreKind, time: VirtualTime): Promise<WireNonces> {
  if (kind === 'memory') return { of: (clock) => new DistantNonces(clock), close: () => Promise.resolve() };
  const { opened: source, erase } = await onOwnPostgres({ name: 'wire', port: PORT }, async ({ app: url }) => {
    const extra = { idleTimeoutMillis: 0 };
    return new DataSource({ type: 'postgres', url, poolSize: 4, extra }).initialize();
  });
  const db = new AwaitedDatabase(source, time);
  return {
    of: (clock) => new DatabaseNonces(db, clock),
    close: async () => {
      await source.destroy();
      erase();
    },
  };
}

/**
 * Nonces in memory that arrive as late as those of a database: other calls proceed while one call waits for its nonce.
 */
class DistantNonces extends MemoryNonces {
  constructor(private readonly waits: Clock) {
    super(waits);
  }

  protected override async tryTake(owner: Buffer, holder: string | null, exclusiveMs: number): Promise<number | null> {
    await this.waits.sleep(ONE_WAY_MS);
    const nonce = await super.tryTake(owner, holder, exclusiveMs);
    await this.waits.sleep(ONE_WAY_MS);
    return nonce;
  }
}

/** Lets virtual time stand still while a statement runs on a real database. */
class AwaitedDatabase extends Database {
  constructor(
    source: DataSource,
    private readonly time: VirtualTime,
  ) {
    super(source);
  }

  override query<Row>(sql: string, parameters: unknown[] = []): Promise<Row[]> {
    return this.time.while(super.query<Row>(sql, parameters));
  }

  override read<Row>(statement: NamedStatement, values: unknown[]): Promise<Row[]> {
    return this.time.while(super.read<Row>(statement, values));
  }
}
