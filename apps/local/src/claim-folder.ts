import { accessSync, constants, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Problem } from './problem.js';

const pidFileOf = (dataDir: string): string => path.join(dataDir, 'launcher.pid');

/**
 * Makes the data folder, and reserves it for this process.
 * @throws Problem when another launcher uses the folder, or when the folder cannot be written
 */
export function claimFolder(dataDir: string): void {
  makeFolder(dataDir);
  const file = pidFileOf(dataDir);
  if (existsSync(file)) {
    const pid = Number(readFileSync(file, 'utf8'));
    if (pid !== process.pid && isLauncher(pid))
      throw new Problem(`npm start is already running (process ${pid}); stop it first`);
  }
  writeFileSync(file, String(process.pid));
}

export function releaseFolder(dataDir: string): void {
  rmSync(pidFileOf(dataDir), { force: true });
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
  } catch (error) {
    throw new Problem(`${folder} cannot be written: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Returns whether the process is a launcher; its pid may have been reused by another program. */
function isLauncher(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // Without /proc, as on macOS, any process counts as the launcher.
    return !existsSync('/proc/self') || readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('apps/local');
  } catch {
    return false;
  }
}
