import { readFileSync, statSync } from 'node:fs';
import { isEncryptedOrLocal, type Config } from '#platform/config';
import { AwsKmsKey } from './keys/aws-kms-key.js';
import type { KeyProvider } from './keys/key-provider.js';
import { LocalKey } from './keys/local-key.js';
import { VaultTransitKey, type VaultTransitSettings } from './keys/vault-transit-key.js';

/**
 * The key-encryption keys of this process. The first key encrypts and all keys decrypt, so that keys can be rotated.
 */
export class Keyring {
  private readonly byId: Map<string, KeyProvider>;

  constructor(readonly keys: readonly [KeyProvider, ...KeyProvider[]]) {
    this.byId = new Map(keys.map((key) => [key.id, key]));
  }

  get primary(): KeyProvider {
    return this.keys[0];
  }

  find(id: string): KeyProvider | null {
    return this.byId.get(id) ?? null;
  }

  /**
   * Reads VAULT_KEYS_FILE, else VAULT_KEYS where that is allowed. Throws an error with the reason when there is no key.
   */
  static fromConfig(config: Config): Keyring {
    const { VAULT_KEYS, VAULT_KEYS_FILE, VAULT_ALLOW_ENV_KEYS } = config.values;
    if (VAULT_KEYS_FILE !== undefined) return parse(readKeyFile(VAULT_KEYS_FILE), 'VAULT_KEYS_FILE', config);
    if (VAULT_KEYS === undefined) throw new Error('VAULT_KEYS_FILE or VAULT_KEYS must be set');
    const keyring = parse(VAULT_KEYS, 'VAULT_KEYS', config);
    if (config.isProduction && !VAULT_ALLOW_ENV_KEYS && keyring.keys.some(({ source }) => source === 'environment')) {
      throw new Error('VAULT_KEYS is refused in production: use VAULT_KEYS_FILE, or set VAULT_ALLOW_ENV_KEYS=true');
    }
    return keyring;
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

type Source = 'VAULT_KEYS_FILE' | 'VAULT_KEYS';

function parse(text: string, source: Source, config: Config): Keyring {
  const lines = text
    .split(/[,\n]/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const [first, ...rest] = [...new Set(lines)].map((line) => parseKey(line, source, config));
  if (first === undefined) throw new Error(`${source} has no key`);
  const ids = [first, ...rest].map(({ id }) => id);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined)
    throw new Error(
      `${source}: the id ${twice} occurs twice, with other bytes; give each new key an id that was never used`,
    );
  return new Keyring([first, ...rest]);
}

function parseKey(line: string, source: Source, config: Config): KeyProvider {
  const [, id = '', key = ''] = /^([a-z0-9-]{1,32}):(.+)$/.exec(line) ?? [];
  const [, bytes] = /^([A-Za-z0-9+/]{43}=)$/.exec(key) ?? [];
  if (bytes !== undefined) {
    return new LocalKey(id, Buffer.from(bytes, 'base64'), source === 'VAULT_KEYS_FILE' ? 'file' : 'environment');
  }
  const [, arn] = /^aws-kms:(arn:aws[a-z-]*:kms:[a-z0-9-]+:\d{12}:key\/[A-Za-z0-9-]+)$/.exec(key) ?? [];
  if (arn !== undefined) return new AwsKmsKey(id, arn, config.values.VAULT_KMS_URL ?? null);
  const [, name] = /^vault-transit:([A-Za-z0-9._-]+)$/.exec(key) ?? [];
  if (name !== undefined) return new VaultTransitKey(id, name, transitSettings(config));
  throw new Error(
    `${source}: each key must be written as id:base64 with 32 bytes in base64, id:aws-kms:<ARN of the key>, or id:vault-transit:<name of the key>`,
  );
}

function transitSettings({ values, isProduction }: Config): VaultTransitSettings {
  const { VAULT_TRANSIT_URL, VAULT_TRANSIT_TOKEN_FILE, VAULT_TRANSIT_NAMESPACE, VAULT_TRANSIT_MOUNT } = values;
  if (VAULT_TRANSIT_URL === undefined || VAULT_TRANSIT_TOKEN_FILE === undefined)
    throw new Error('VAULT_TRANSIT_URL and VAULT_TRANSIT_TOKEN_FILE must be set for a key of the kind vault-transit');
  const url = new URL(VAULT_TRANSIT_URL);
  if (isProduction && !isEncryptedOrLocal(url))
    throw new Error('VAULT_TRANSIT_URL: must begin with https:// in production, because it transports data keys');
  const namespace = VAULT_TRANSIT_NAMESPACE ?? null;
  return { url, tokenFile: VAULT_TRANSIT_TOKEN_FILE, namespace, mount: VAULT_TRANSIT_MOUNT };
}
