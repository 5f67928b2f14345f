import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** File name in the data folder. */
export const SECRETS_FILE = 'secrets.json';

/**
 * The secrets of the installation. They are created at the first start and kept, because stored credentials cannot be
 * decrypted with other secrets.
 */
export interface Secrets {
  vaultKeysFile: string;
  apiKeyPepper: string;
  adminToken: string;
  sandboxAccount: { apiKey: string; apiSecret: string };
  /** Token by which the partner API of the sandbox exchange recognizes the demo account. */
  sandboxToken: string;
  /** Secret that signs the webhooks of the sandbox exchange. */
  sandboxWebhookSecret: string;
}

type Stored = Omit<Secrets, 'vaultKeysFile'>;

export function loadSecrets(dataDir: string): Secrets {
  const vaultKeysFile = path.join(dataDir, 'vault-keys');
  if (!existsSync(vaultKeysFile)) writePrivate(vaultKeysFile, makeVaultKey());
  const file = path.join(dataDir, SECRETS_FILE);
  const earlier = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Partial<Stored>) : {};
  // A file from an earlier version contains fewer secrets: those that it lacks are created.
  const secrets = { ...makeSecrets(), ...earlier };
  writePrivate(file, JSON.stringify(secrets, null, 2));
  return { vaultKeysFile, ...secrets };
}

/** Each key gets an id of its own, because your own database may contain records of an earlier key. */
function makeVaultKey(): string {
  return `local-${randomBytes(6).toString('hex')}:${randomBytes(32).toString('base64')}\n`;
}

function makeSecrets(): Stored {
  return {
    apiKeyPepper: randomBytes(32).toString('base64'),
    adminToken: randomBytes(32).toString('hex'),
    // The format of the sandbox exchange's keys: a base64 key, and a secret of 64 bytes.
    sandboxAccount: { apiKey: randomBytes(42).toString('base64'), apiSecret: randomBytes(64).toString('base64') },
    sandboxWebhookSecret: `whsec_${randomBytes(32).toString('base64')}`,
    sandboxToken: `partner_${randomBytes(24).toString('hex')}`,
  };
}

/** Writes a file that only its owner can read. */
export function writePrivate(file: string, text: string): void {
  writeFileSync(file, text, { mode: 0o600 });
}
