import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** In the data folder. */
export const SECRETS_FILE = 'secrets.json';

/** Made once, at the first start, and kept: with other ones, nothing that is stored would open any more. */
export interface Secrets {
  vaultKeysFile: string;
  apiKeyPepper: string;
  adminToken: string;
  sandboxAccount: { apiKey: string; apiSecret: string };
  /** Of the account at the sandbox exchange's partner API. */
  sandboxToken: string;
}

type Stored = Omit<Secrets, 'vaultKeysFile'>;

export function loadSecrets(dataDir: string): Secrets {
  const vaultKeysFile = path.join(dataDir, 'vault-keys');
  if (!existsSync(vaultKeysFile)) writePrivate(vaultKeysFile, `local:${randomBytes(32).toString('base64')}\n`);
  const file = path.join(dataDir, SECRETS_FILE);
  const earlier = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Partial<Stored>) : {};
  // An earlier version made fewer.
  const secrets = { ...makeSecrets(), ...earlier };
  writePrivate(file, JSON.stringify(secrets, null, 2));
  return { vaultKeysFile, ...secrets };
}

function makeSecrets(): Stored {
  return {
    apiKeyPepper: randomBytes(32).toString('base64'),
    adminToken: randomBytes(32).toString('hex'),
    // The form of Kraken's own: a base64 key, and a secret of 64 bytes.
    sandboxAccount: { apiKey: randomBytes(42).toString('base64'), apiSecret: randomBytes(64).toString('base64') },
    sandboxToken: `partner_${randomBytes(24).toString('hex')}`,
  };
}

/** Readable by the owner alone. */
export function writePrivate(file: string, text: string): void {
  writeFileSync(file, text, { mode: 0o600 });
}
