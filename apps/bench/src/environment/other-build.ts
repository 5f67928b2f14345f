import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../../../../..');

/** Compiles another commit in its own folder, with the packages of the current checkout. @returns the folder `dist` */
export function buildOther(revision: string, folder: string): string {
  const place = path.join(folder, 'other');
  execFileSync('git', ['clone', '--quiet', '--shared', root, place]);
  execFileSync('git', ['checkout', '--quiet', '--detach', commitOf(revision)], { cwd: place });
  symlinkSync(path.join(root, 'node_modules'), path.join(place, 'node_modules'));
  execFileSync('npm', ['run', '--silent', 'compile'], { cwd: place, stdio: 'inherit' });
  return path.join(place, 'dist');
}

/** Returns the short id of the checked-out commit, with `+` when files have changed since. */
export function describeCommit(): string {
  const changed = execFileSync('git', ['status', '--porcelain', '--untracked-files=no', '--', 'apps', 'libs'], {
    cwd: root,
    encoding: 'utf8',
  });
  return `${commitOf('HEAD').slice(0, 9)}${changed === '' ? '' : '+'}`;
}

function commitOf(revision: string): string {
  return execFileSync('git', ['rev-parse', '--verify', `${revision}^{commit}`], { cwd: root, encoding: 'utf8' }).trim();
}
