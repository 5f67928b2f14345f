import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Returns the password of both roles, in a file beside the data that only its owner may read. A superuser of the server
 * can run programs as the server's account, so other users of the machine must not get the password.
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
