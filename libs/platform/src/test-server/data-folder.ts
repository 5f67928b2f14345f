import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, statfsSync } from 'node:fs';
import path from 'node:path';

const ON_DISK = '.local/test-database';
/** The file system in memory that Linux offers to every user. */
const MEMORY = '/dev/shm';
/** More than all tests together have used. */
const MEMORY_MIN_BYTES = 4 * 2 ** 30;

/**
 * The folder of the test server's data: in memory where there is room. Each test file creates and drops a database of
 * about a thousand files, which takes 300 ms of CPU time on a disk (ext4) and 60 ms in memory.
 */
export function dataFolder(): string {
  return folderInMemory() ?? ON_DISK;
}

function folderInMemory(): string | null {
  const uid = process.getuid?.();
  if (uid === undefined || freeBytesOf(MEMORY) < MEMORY_MIN_BYTES) return null;
  const own = path.join(MEMORY, `causeway-${uid}`);
  // Every user may create files in the memory, so the folder may be that of another user.
  mkdirSync(own, { recursive: true, mode: 0o711 });
  const found = lstatSync(own);
  if (!found.isDirectory() || found.uid !== uid || (found.mode & 0o022) !== 0) return null;
  const checkout = createHash('sha256').update(process.cwd()).digest('hex').slice(0, 12);
  return path.join(own, `test-database-${checkout}`);
}

function freeBytesOf(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return 0;
  }
}
