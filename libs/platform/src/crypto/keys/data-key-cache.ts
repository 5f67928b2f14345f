import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { KeyContext, KeyProvider } from './key-provider.js';
import { joinParts } from './key-provider.js';

/** Maximum number of unwrapped data keys of remote key services in the memory of a process. */
const KEPT_MAX = 1_000;
/** How long an unwrapped data key stays in memory. */
const KEPT_MS = 5 * 60_000;

/**
 * Keeps data keys that a remote service has unwrapped, so that not every read needs a call. A key is found by a digest
 * of everything that the service checks. Its bytes are overwritten when it leaves the cache.
 */
export class DataKeyCache {
  private readonly kept = new LRUCache<string, Buffer>({
    max: KEPT_MAX,
    ttl: KEPT_MS,
    ttlAutopurge: true,
    dispose: (dataKey) => dataKey.fill(0),
  });
  /** Concurrent reads of one record share a call. */
  private readonly unwrapping = new Map<string, Promise<Buffer>>();

  /** Returns a copy, which the caller may overwrite. */
  async unwrap(key: KeyProvider, wrapped: string, context: KeyContext): Promise<Buffer> {
    const digest = digestOf(key, wrapped, context);
    const kept = this.kept.get(digest);
    if (kept !== undefined) return Buffer.from(kept);
    const running = this.unwrapping.get(digest) ?? this.begin(digest, key.unwrap(wrapped, context));
    return Buffer.from(await running);
  }

  /** Keeps a data key that was just wrapped. */
  keep(key: KeyProvider, wrapped: string, { context, dataKey }: { context: KeyContext; dataKey: Buffer }): void {
    this.kept.set(digestOf(key, wrapped, context), Buffer.from(dataKey));
  }

  private begin(digest: string, call: Promise<Buffer>): Promise<Buffer> {
    const running = call
      .then((dataKey) => {
        this.kept.set(digest, Buffer.from(dataKey));
        return dataKey;
      })
      .finally(() => this.unwrapping.delete(digest));
    this.unwrapping.set(digest, running);
    return running;
  }
}

function digestOf({ id }: KeyProvider, wrapped: string, { organizationId, projectId }: KeyContext): string {
  return createHash('sha256')
    .update(joinParts([id, wrapped, organizationId, projectId]))
    .digest('base64');
}
