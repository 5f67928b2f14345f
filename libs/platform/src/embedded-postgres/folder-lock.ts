import { mkdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const STALE_MS = 120_000;
const RETRY_MS = 150;

/** Several processes may ask for one server at the same moment; only one may create or start it. Returns the release. */
export async function lockFolder(folder: string): Promise<() => void> {
  mkdirSync(path.dirname(folder), { recursive: true });
  for (;;) {
    try {
      mkdirSync(folder);
      return () => rmSync(folder, { recursive: true, force: true });
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
    // A holder that was killed leaves its lock behind.
    const heldSince = statSync(folder, { throwIfNoEntry: false })?.mtimeMs;
    if (heldSince !== undefined && Date.now() - heldSince > STALE_MS) rmSync(folder, { recursive: true, force: true });
    await sleep(RETRY_MS);
  }
}
