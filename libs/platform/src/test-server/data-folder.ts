import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, statfsSync } from 'node:fs';
import path from 'node:path';

const ON_DISK = '.local/test-database';
/** The file system in memory that Linux offers to every user. */
const MEMORY = '/dev/shm';
/** The data are kept in memory only if at least this much is free. All tests together have used less. */
const FREE_MIN_BYTES = 4 * 2 ** 30;

/**
 * The folder of the test server's data: in memory where there is room. Each test file creates and drops a database of
 * about a thousand files, which takes 300 ms of CPU time on a disk (ext4) and 60 ms in memory.
 */
export function dataFolder(memory = MEMORY, freeMinBytes = FREE_MIN_BYTES): string {
  try {
    return folderIn(memory, freeMinBytes) ?? ON_DISK;
  } catch {
    // Other systems have no such folder, or this user may not write to it.
    return ON_DISK;
  }
}

function folderIn(memory: string, freeMinBytes: number): string | null {
  const uid = process.getuid?.();
  const { bavail, bsize } = statfsSync(memory);
  if (uid === undefined || bavail * bsize < freeMinBytes) return null;
  const own = path.join(memory, `causeway-${uid}`);
  mkdirSync(own, { recursive: true, mode: 0o711 });
  // Every user may create files in /dev/shm, so another user may have made this folder, or may write to it.
  const found = lstatSync(own);
  if (!found.isDirectory() || found.uid !== uid || (found.mode & 0o022) !== 0) return null;
  const checkout = createHash('sha256').update(process.cwd()).digest('hex').slice(0, 12);
  return path.join(own, `test-database-${checkout}`);
}
