import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Config } from '#platform/config';
import type { Vault } from '#platform/crypto';
import { migrate } from '#platform/database';
import { eraseEmbeddedPostgres, startEmbeddedPostgres } from '#platform/embedded-postgres';
import { MemoryStore } from './memory-store.js';
import { PostgresStore } from './postgres-store.js';
import type { SimulatedStore } from './simulated-store.js';

export const storeKinds = ['memory', 'postgres'] as const;
export type StoreKind = (typeof storeKinds)[number];

/** Where one worker gets an empty database for every run. */
export interface Stores {
  next(): Promise<SimulatedStore>;
  close(): Promise<void>;
}

const DATABASE = 'simulation';
const PORT = 56_400;

/** With PostgreSQL: a server of its own, gone when it is closed. */
export async function openStores(kind: StoreKind, config: Config, vault: Vault): Promise<Stores> {
  if (kind === 'memory') {
    return { next: () => Promise.resolve(new MemoryStore(config)), close: () => Promise.resolve() };
  }
  const parent = mkdtempSync(path.join(tmpdir(), 'causeway-prove-'));
  const options = { dir: path.join(parent, 'data'), port: PORT, nextFreePort: true, durable: false };
  const erase = (): void => {
    eraseEmbeddedPostgres(options);
    rmSync(parent, { recursive: true, force: true });
  };
  try {
    const server = await startEmbeddedPostgres(options);
    await server.createDatabase(DATABASE);
    await migrate(server.ownerUrl(DATABASE));
    const store = await PostgresStore.open(
      { owner: server.ownerUrl(DATABASE), app: server.appUrl(DATABASE) },
      config,
      vault,
    );
    return {
      next: async () => {
        await store.clear();
        return store;
      },
      close: async () => {
        await store.close();
        erase();
      },
    };
  } catch (error) {
    erase();
    throw error;
  }
}
