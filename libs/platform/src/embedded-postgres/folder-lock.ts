import { linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Maximum age of a lock. An older lock is stale even when its process id is in use, because process ids are reused. */
const STALE_MS = 120_000;
const RETRY_MS = 150;

let locks = 0;

/** Ensures that one process at a time creates or starts the server. Returns the function that releases the lock. */
export async function lockFolder(lock: string): Promise<() => void> {
  mkdirSync(path.dirname(lock), { recursive: true });
  // The lock is a hard link to a finished file, so that it always contains the process id of its holder.
  const mine = `${lock}-${process.pid}-${++locks}`;
  writeFileSync(mine, String(process.pid));
  try {
    while (!takes(mine, lock)) {
      if (isStale(lock)) rmSync(lock, { force: true });
      else await sleep(RETRY_MS);
    }
  } finally {
    rmSync(mine, { force: true });
  }
  return () => rmSync(lock, { force: true });
}

function takes(mine: string, lock: string): boolean {
  try {
    linkSync(mine, lock);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Whether the holder of the lock is dead or the lock is too old: a killed process does not remove its lock. */
function isStale(lock: string): boolean {
  try {
    return Date.now() - statSync(lock).mtimeMs > STALE_MS || !isAlive(Number(readFileSync(lock, 'utf8')));
  } catch (error) {
    // The lock was just released.
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}
