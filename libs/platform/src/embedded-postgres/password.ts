import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Returns the password of the owner's role and of the application's role. It is kept in a file that only the owner of
 * the file may read, because a superuser of the server can run programs as the server's account.
 */
export function passwordOf(dir: string): string {
  const file = passwordFileOf(dir);
  if (!existsSync(file)) {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, randomBytes(24).toString('base64url'), { mode: 0o600 });
  }
  return readFileSync(file, 'utf8');
}

export function passwordFileOf(dir: string): string {
  return `${path.resolve(dir)}.password`;
}
