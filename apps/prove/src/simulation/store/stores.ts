import type { Config } from '#platform/config';
import type { Vault } from '#platform/crypto';
import { onOwnPostgres } from '../../own-postgres.js';
import { MemoryStore } from './memory-store.js';
import { PostgresStore } from './postgres-store.js';
import type { SimulatedStore } from './simulated-store.js';
import type { StoreKind } from './store-kinds.js';

/** Provides an empty database for every run of one worker. */
export interface Stores {
  next(): Promise<SimulatedStore>;
  close(): Promise<void>;
}

const PORT = 56_400;

/** Opens the databases of one worker. With PostgreSQL, it starts a server, which `close` erases. */
export async function openStores(kind: StoreKind, config: Config, vault: Vault): Promise<Stores> {
  if (kind === 'memory') {
    return { next: () => Promise.resolve(new MemoryStore(config)), close: () => Promise.resolve() };
  }
  const { opened: store, erase } = await onOwnPostgres({ name: 'simulation', port: PORT }, (urls) =>
    PostgresStore.open(urls, config, vault),
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
}
