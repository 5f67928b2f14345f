import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * The password of both roles, made with the data and kept beside it for its owner alone: a superuser of the server runs
 * programs as its account, so nobody else on the machine may become one.
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
