import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { loadConfig } from '#platform/config';
import { kmsServer, setEnvironment, TRANSIT_TOKEN, transitServer, type KeyServer } from '#platform/testing';
import { CannotOpen, Keyring, KeysUnavailable, Vault } from '../index.js';
import { WrongKey, type KeyProvider } from './key-provider.js';

const ARN = 'arn:aws:kms:eu-central-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab';
const tenant = { organizationId: 'o', projectId: 'p' };
const context = { ...tenant, walletId: 'w', field: 'f' };

describe.each([
  ['AWS KMS', kmsServer, `k2:aws-kms:${ARN}`, `k3:aws-kms:${ARN.replace('1234abcd', '99999999')}`],
  ['the transit engine of Vault', transitServer, 'k2:vault-transit:causeway', 'k3:vault-transit:another'],
])('a key of %s', (_name, createKeyServer, line, otherLine) => {
  let server: KeyServer;
  let folder: string;
  let keyring: (...lines: string[]) => Keyring;
  let key: KeyProvider;
  const dataKey = Buffer.alloc(32, 9);

  beforeEach(async () => {
    setEnvironment({ AWS_ACCESS_KEY_ID: 'AKIDTEST', AWS_SECRET_ACCESS_KEY: 'secret' });
    folder = mkdtempSync(path.join(tmpdir(), 'vault-'));
    const VAULT_TRANSIT_TOKEN_FILE = path.join(folder, 'token');
    writeFileSync(VAULT_TRANSIT_TOKEN_FILE, `${TRANSIT_TOKEN}\n`);
    server = createKeyServer();
    const url = await server.listen();
    const settings = { VAULT_KMS_URL: url, VAULT_TRANSIT_URL: url, VAULT_TRANSIT_NAMESPACE: 'team' };
    keyring = (...lines) =>
      Keyring.fromConfig(loadConfig({ ...settings, VAULT_TRANSIT_TOKEN_FILE, VAULT_KEYS: lines.join(',') }));
    key = keyring(line).primary;
  });
  afterEach(() => {
    server.close();
    rmSync(folder, { recursive: true });
  });

  it('unwraps what it wrapped, and sends the tenant with both calls', async () => {
    const wrapped = await key.wrap(dataKey, tenant);
    expect(await key.unwrap(wrapped, tenant)).toEqual(dataKey);
    expect(server.asked).toHaveLength(2);
  });

  it('does not unwrap for another tenant, with another key, or an altered text', async () => {
    const wrapped = await key.wrap(dataKey, tenant);
    for (const elsewhere of [{ projectId: 'q' }, { organizationId: 'q' }])
      await expect(key.unwrap(wrapped, { ...tenant, ...elsewhere })).rejects.toThrow(WrongKey);
    await expect(keyring(otherLine).primary.unwrap(wrapped, tenant)).rejects.toThrow(WrongKey);
    const altered = `${wrapped.slice(0, -8)}${wrapped.endsWith('AAAAAAA=') ? 'BBBBBBB=' : 'AAAAAAA='}`;
    await expect(key.unwrap(altered, tenant)).rejects.toThrow(WrongKey);
  });

  it('repeats a call twice after throttling and a fault of the service', async () => {
    server.next = [429, 503];
    expect(await key.wrap(dataKey, tenant)).not.toBe('');
    expect(server.asked).toHaveLength(3);
  });

  it('is unavailable after three failed attempts, and at once when the service refuses the caller', async () => {
    server.next = [503, 500, 429];
    await expect(key.wrap(dataKey, tenant)).rejects.toMatchObject({ status: 503, retryAfterSeconds: 5 });
    expect(server.asked).toHaveLength(3);
    server.next = [403];
    await expect(key.wrap(dataKey, tenant)).rejects.toThrow(KeysUnavailable);
    expect(server.asked).toHaveLength(4);
  });

  it('gives up in time when the service does not respond', async () => {
    server.next = ['silence', 'silence', 'silence'];
    await expect(key.wrap(dataKey, tenant)).rejects.toThrow(KeysUnavailable);
  });

  it('refuses calls at once while the service fails', async () => {
    server.next = Array.from({ length: 5 }, () => 403);
    for (let index = 0; index < 5; index++) {
      await expect(key.wrap(dataKey, tenant)).rejects.toThrow(KeysUnavailable);
    }
    await expect(key.wrap(dataKey, tenant)).rejects.toThrow(KeysUnavailable);
    expect(server.asked).toHaveLength(5);
  });

  it('is asked once for several reads of a record, and opens known records during an outage', async () => {
    const record = await new Vault(keyring(line)).seal('text', context);
    const vault = new Vault(keyring(line));
    const refusals: string[] = [];
    vault.onRefusal = (reason) => void refusals.push(reason);
    server.asked.splice(0);
    expect(await Promise.all([1, 2, 3].map(() => vault.open(record, context)))).toEqual(['text', 'text', 'text']);
    expect(server.asked).toHaveLength(1);
    server.isDown = true;
    // Each read overwrites its copy of the data key.
    for (let reads = 0; reads < 3; reads++) expect(await vault.open(record, context)).toBe('text');
    await expect(vault.seal('new', context)).rejects.toThrow(KeysUnavailable);
    expect(await vault.works()).toBe(false);
    expect(refusals).toEqual(['unavailable']);
  });

  it('takes over from a key in a file, whose records still open', async () => {
    const local = `k1:${Buffer.alloc(32, 1).toString('base64')}`;
    const old = await new Vault(keyring(local)).seal('old', context);
    const vault = new Vault(keyring(line, local));
    expect(await vault.open(old, context)).toBe('old');
    expect((await vault.seal('new', context)).keyId).toBe('k2');
    await expect(new Vault(keyring(line)).open(old, context)).rejects.toThrow(CannotOpen);
  });
});
