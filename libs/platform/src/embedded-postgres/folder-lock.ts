import { linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Beyond this a lock is stale although its holder's process id is in use: ids are used again. */
const STALE_MS = 120_000;
const RETRY_MS = 150;

let locks = 0;

/** Several processes may ask for one server at the same moment; only one may create or start it. Returns the release. */
export async function lockFolder(lock: string): Promise<() => void> {
  mkdirSync(path.dirname(lock), { recursive: true });
  // Linked into place with its content: nobody ever sees a lock without its holder.
  const mine = `${lock}-${process.pid}-${++locks}`;
  writeFileSync(mine, String(process.pid));
  try {
    while (!takes(mine, lock)) {
      if (isStale(lock)) rmSync(lock, { recursive: true, force: true });
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

/** A holder that was killed leaves its lock behind. */
function isStale(lock: string): boolean {
  const heldSince = statSync(lock, { throwIfNoEntry: false })?.mtimeMs;
  if (heldSince === undefined) return false;
  return Date.now() - heldSince > STALE_MS || !isAlive(holderOf(lock));
}

function holderOf(lock: string): number | null {
  try {
    return Number(readFileSync(lock, 'utf8'));
  } catch {
    // Released at this moment, or made by an earlier version: its age decides.
    return null;
  }
}

function isAlive(pid: number | null): boolean {
  if (pid === null) return true;
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
