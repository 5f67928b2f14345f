import { readFileSync, statSync } from 'node:fs';
import type { Config } from '#platform/config';

interface Key {
  id: string;
  key: Buffer;
}

/**
 * The key-encryption keys of this process. The first key encrypts and all keys decrypt, so that keys can be rotated.
 */
export class Keyring {
  private readonly byId: Map<string, Buffer>;

  constructor(readonly keys: readonly [Key, ...Key[]]) {
    this.byId = new Map(keys.map(({ id, key }) => [id, key]));
  }

  get primary(): Key {
    return this.keys[0];
  }

  get(id: string): Buffer {
    const key = this.byId.get(id);
    if (key === undefined)
      throw new Error(`the vault has no key-encryption key ${id}: add it to VAULT_KEYS_FILE or VAULT_KEYS`);
    return key;
  }

  /**
   * Reads VAULT_KEYS_FILE, else VAULT_KEYS where that is allowed. Throws an error with the reason when there is no key.
   */
  static fromConfig(config: Config): Keyring {
    const { VAULT_KEYS, VAULT_KEYS_FILE, VAULT_ALLOW_ENV_KEYS } = config.values;
    if (VAULT_KEYS_FILE !== undefined) return parse(readKeyFile(VAULT_KEYS_FILE), 'VAULT_KEYS_FILE');
    if (VAULT_KEYS === undefined) throw new Error('VAULT_KEYS_FILE or VAULT_KEYS must be set');
    if (config.isProduction && !VAULT_ALLOW_ENV_KEYS) {
      throw new Error('VAULT_KEYS is refused in production: use VAULT_KEYS_FILE, or set VAULT_ALLOW_ENV_KEYS=true');
    }
    return parse(VAULT_KEYS, 'VAULT_KEYS');
  }
}

function readKeyFile(path: string): string {
  const { mode, text } = readFile(path);
  if ((mode & 0o077) !== 0)
    throw new Error(
      `VAULT_KEYS_FILE: only the owner of the file may read it; its mode is ${mode.toString(8)}, use 400 or 600`,
    );
  return text;
}

function readFile(path: string): { mode: number; text: string } {
  try {
    return { mode: statSync(path).mode & 0o777, text: readFileSync(path, 'utf8') };
  } catch (error) {
    throw new Error(`VAULT_KEYS_FILE: the file cannot be read (${(error as Error).message})`, { cause: error });
  }
}

function parse(text: string, source: string): Keyring {
  const lines = text
    .split(/[,\n]/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const [first, ...rest] = [...new Set(lines)].map((line) => parseKey(line, source));
  if (first === undefined) throw new Error(`${source} has no key`);
  const ids = [first, ...rest].map(({ id }) => id);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined)
    throw new Error(
      `${source}: the id ${twice} occurs twice, with other bytes; give each new key an id that was never used`,
    );
  return new Keyring([first, ...rest]);
}

function parseKey(line: string, source: string): Key {
  const match = /^([a-z0-9-]{1,32}):([A-Za-z0-9+/]{43}=)$/.exec(line);
  if (match?.[1] === undefined || match[2] === undefined)
    throw new Error(`${source}: each key must be written as id:base64, with 32 bytes in base64`);
  return { id: match[1], key: Buffer.from(match[2], 'base64') };
}
