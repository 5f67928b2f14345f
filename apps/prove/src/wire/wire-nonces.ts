import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DataSource } from 'typeorm';
import { DatabaseNonces, MemoryNonces, type Nonces } from '#exchange/testing';
import type { Clock } from '#platform/clock';
import { Database, migrate } from '#platform/database';
import { eraseEmbeddedPostgres, startEmbeddedPostgres } from '#platform/embedded-postgres';
import type { StoreKind } from '../simulation/index.js';
import type { VirtualTime } from './virtual-time.js';

const DATABASE = 'wire';
const PORT = 56_700;
/** From a process to the place where its nonces come from. */
const ONE_WAY_MS = 2;

export interface WireNonces {
  of(clock: Clock): Nonces;
  close(): Promise<void>;
}

/**
 * Opens the source of nonces: the memory, or the product's own statements on a PostgreSQL. It needs real time, so call it
 * before `VirtualTime.install`.
 */
export async function openNonces(kind: StoreKind, time: VirtualTime): Promise<WireNonces> {
  if (kind === 'memory') return { of: (clock) => new DistantNonces(clock), close: () => Promise.resolve() };
  const parent = mkdtempSync(path.join(tmpdir(), 'causeway-wire-'));
  const options = { dir: path.join(parent, 'data'), port: PORT, nextFreePort: true, durable: false };
  const erase = (): void => {
    eraseEmbeddedPostgres(options);
    rmSync(parent, { recursive: true, force: true });
  };
  try {
    const server = await startEmbeddedPostgres(options);
    await server.createDatabase(DATABASE);
    await migrate(server.ownerUrl(DATABASE));
    const extra = { idleTimeoutMillis: 0 };
    const source = new DataSource({ type: 'postgres', url: server.appUrl(DATABASE), poolSize: 4, extra });
    await source.initialize();
    const db = new AwaitedDatabase(source, time);
    return {
      of: (clock) => new DatabaseNonces(db, clock),
      close: async () => {
        await source.destroy();
        erase();
      },
    };
  } catch (error) {
    erase();
    throw error;
  }
}

/** Nonces in memory that are as far away as a database: other calls go on while one waits for its nonce. */
class DistantNonces extends MemoryNonces {
  constructor(private readonly waits: Clock) {
    super(waits);
  }

  protected override async tryTake(owner: Buffer, holder: string | null): Promise<number | null> {
    await this.waits.sleep(ONE_WAY_MS);
    const nonce = await super.tryTake(owner, holder);
    await this.waits.sleep(ONE_WAY_MS);
    return nonce;
  }
}

/** Virtual time stands still while a statement runs. */
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
}
