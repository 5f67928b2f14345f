import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Returns the password of the database's two roles. The role that owns the tables is a superuser, and a superuser can
 * run programs as the account of the server. So only the account that owns the file with the password can read it.
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
