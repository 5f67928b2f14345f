import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { loadConfig } from '#platform/config';
import { CannotOpen, Keyring, LocalKey, NotCurrent, Secret, Vault, type SealedRecord } from './index.js';
import type { KeyProvider } from './keys/key-provider.js';

const context = { organizationId: 'o', projectId: 'p', walletId: 'w', field: 'credentials' };
const bytes = { k1: randomBytes(32), k2: randomBytes(32) };
const first = new LocalKey('k1', bytes.k1);
const second = new LocalKey('k2', bytes.k2);
const isCannotOpen = (error: unknown): void => expect(error).toBeInstanceOf(CannotOpen);
const line = (id: string, key: Buffer): string => `${id}:${key.toString('base64')}`;

describe('Vault', () => {
  const vault = new Vault(new Keyring([first]));

  it('opens what it sealed, for every text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme' }), async (text) => {
        expect(await vault.open(await vault.seal(text, context), context)).toBe(text);
      }),
    );
  });

  it.each(['organizationId', 'projectId', 'walletId', 'field', 'version'] as const)(
    'does not open a record under another %s',
    async (part) => {
      const record = await vault.seal('text', context);
      await expect(vault.open(record, { ...context, [part]: 'other' })).rejects.toThrow(CannotOpen);
    },
  );

  it('distinguishes contexts whose parts are different but equal when joined', async () => {
    const record = await vault.seal('text', { ...context, organizationId: 'ab', projectId: 'c' });
    const joined = { ...context, organizationId: 'a', projectId: 'bc' };
    await expect(vault.open(record, joined)).rejects.toThrow(CannotOpen);
  });

  it('does not open a record with an altered or missing byte', async () => {
    const record = await vault.seal('text', context);
    for (const part of ['wrappedKey', 'text'] as const) {
      const whole = Buffer.from(record[part], 'base64');
      for (let index = 0; index < whole.length; index++) {
        const bytes = Buffer.from(whole);
        bytes[index] = (bytes[index] ?? 0) ^ 1;
        for (const altered of [bytes, whole.subarray(0, index), whole.subarray(index + 1)]) {
          const text = altered.toString('base64');
          await expect(vault.open({ ...record, [part]: text }, context)).rejects.toThrow(CannotOpen);
        }
      }
    }
  });

  it('refuses the record of another write, and counts it', async () => {
    const old = await vault.seal('old', { ...context, sequence: 1 });
    const refusals: string[] = [];
    vault.onRefusal = (reason) => void refusals.push(reason);
    await expect(vault.open(old, { ...context, sequence: 2 })).rejects.toThrow(NotCurrent);
    expect(refusals).toEqual(['not_current']);
    await expect(vault.open({ ...old, sequence: 2 }, { ...context, sequence: 2 })).rejects.toThrow(CannotOpen);
    expect(refusals).toEqual(['not_current', 'altered']);
    await expect(vault.open(old, { ...context, sequence: 0 })).rejects.toThrow(NotCurrent);
    expect(refusals).toEqual(['not_current', 'altered', 'not_current']);
    expect(await vault.open(old, { ...context, sequence: 1 })).toBe('old');
  });

  it('seals the texts of one write with one data key, and only for the tenant of this data key', async () => {
    const sealer = await vault.sealer({ id: 'p', organizationId: 'o' });
    const [one, other] = ['one', 'other'].map((text) => sealer.seal(text, context));
    expect(one?.wrappedKey).toBe(other?.wrappedKey);
    expect((await vault.seal('one', context)).wrappedKey).not.toBe(one?.wrappedKey);
    for (const elsewhere of [{ projectId: 'q' }, { organizationId: 'q' }])
      expect(() => sealer.seal('text', { ...context, ...elsewhere })).toThrow('of another tenant');
  });

  it.each([4, 8, 12, 13, 15])(
    'does not open an empty text whose authentication tag is cut to %i bytes',
    async (length) => {
      // AES-GCM accepts shorter tags unless their length is fixed. A tag of four bytes can be guessed.
      const record = await vault.seal('', context);
      const cut = Buffer.from(record.text, 'base64')
        .subarray(0, 12 + length)
        .toString('base64');
      await expect(vault.open({ ...record, text: cut }, context)).rejects.toThrow(CannotOpen);
    },
  );

  it.each([2, 0, '1', null, undefined])(
    'refuses a record of version %p with a message that names the version',
    async (version) => {
      const record: object = { ...(await vault.seal('text', context)), version };
      const open = () => vault.open(record as SealedRecord, context);
      await expect(open()).rejects.toThrow(CannotOpen);
      await expect(open()).rejects.toThrow(
        `the sealed record has the version ${String(version)}, and this release opens version 1 only`,
      );
    },
  );

  it.each([
    ['opened', (record: SealedRecord) => record],
    ['refused', (record: SealedRecord) => ({ ...record, text: `AAAA${record.text.slice(4)}` })],
  ])('overwrites the data key of a record that it has %s', async (_how, change) => {
    const unwrapped: Buffer[] = [];
    const key: KeyProvider = {
      id: first.id,
      source: first.source,
      isRemote: false,
      wrap: first.wrap.bind(first),
      unwrap: async (...args) => {
        const dataKey = await first.unwrap(...args);
        unwrapped.push(dataKey);
        return dataKey;
      },
    };
    await new Vault(new Keyring([key])).open(change(await vault.seal('text', context)), context).catch(isCannotOpen);
    expect(unwrapped).toEqual([Buffer.alloc(32)]);
  });

  it('opens old records after a key rotation, until the old key is removed', async () => {
    const record = await vault.seal('text', context);
    expect(await new Vault(new Keyring([second, first])).open(record, context)).toBe('text');
    await expect(new Vault(new Keyring([second])).open(record, context)).rejects.toThrow(CannotOpen);
  });
});

describe('Keyring', () => {
  it('names VAULT_KEYS_FILE in the error when it cannot read the file', () => {
    const config = loadConfig({ VAULT_KEYS_FILE: '/nowhere/vault-keys' });
    expect(() => Keyring.fromConfig(config)).toThrow(/^VAULT_KEYS_FILE: the file cannot be read \(ENOENT.+\)$/);
  });

  it('refuses VAULT_KEYS_FILE while another user may read, write or execute it', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'vault-keys-'));
    try {
      const file = path.join(folder, 'keys');
      writeFileSync(file, line('k1', bytes.k1));
      const keysAt = (mode: number): string[] => {
        chmodSync(file, mode);
        return Keyring.fromConfig(loadConfig({ VAULT_KEYS_FILE: file })).keys.map(({ id }) => id);
      };
      for (const mode of [0o400, 0o600]) expect(keysAt(mode)).toEqual(['k1']);
      for (const mode of [0o640, 0o620, 0o610, 0o604, 0o602, 0o601])
        expect(() => keysAt(mode)).toThrow(`only the owner of the file may read it; its mode is ${mode.toString(8)}`);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('refuses two keys with the same id, because a record would be sealed with one and opened with the other', () => {
    const config = loadConfig({ VAULT_KEYS: [line('k1', bytes.k2), line('k1', bytes.k1)].join(',') });
    expect(() => Keyring.fromConfig(config)).toThrow(
      'VAULT_KEYS: the id k1 occurs twice, with other bytes; give each new key an id that was never used',
    );
  });

  it('accepts a list that contains a key twice, and seals with the first key of the list', async () => {
    const keys = (['k2', 'k1', 'k2'] as const).map((id) => line(id, bytes[id]));
    const config = loadConfig({ VAULT_KEYS: keys.join(',') });
    const context = { organizationId: 'o', projectId: 'p', walletId: 'w', field: 'f' };
    expect((await new Vault(Keyring.fromConfig(config)).seal('text', context)).keyId).toBe(second.id);
  });
});

describe('Secret', () => {
  it('does not show its text in any conversion to a string', () => {
    const secret = new Secret('hunter2');
    for (const text of [String(secret), JSON.stringify({ secret }), inspect({ secret }), `${secret.toString()}`]) {
      expect(text).not.toContain('hunter2');
    }
    expect(secret.reveal()).toBe('hunter2');
  });
});
