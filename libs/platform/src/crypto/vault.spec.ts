import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { loadConfig } from '#platform/config';
import { CannotOpen, Keyring, Secret, Vault, type SealedRecord } from './index.js';

const context = { organizationId: 'o', projectId: 'p', walletId: 'w', field: 'credentials' };
const first = { id: 'k1', key: randomBytes(32) };
const second = { id: 'k2', key: randomBytes(32) };

describe('Vault', () => {
  const vault = new Vault(new Keyring([first]));

  it('opens what it sealed, for every text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(vault.open(vault.seal(text, context), context)).toBe(text);
      }),
    );
  });

  it.each(['organizationId', 'projectId', 'walletId', 'field'] as const)(
    'does not open a record under another %s',
    (part) => {
      const record = vault.seal('text', context);
      expect(() => vault.open(record, { ...context, [part]: 'other' })).toThrow(CannotOpen);
    },
  );

  it('distinguishes contexts whose parts are different but equal when joined', () => {
    const record = vault.seal('text', { ...context, organizationId: 'ab', projectId: 'c' });
    expect(() => vault.open(record, { ...context, organizationId: 'a', projectId: 'bc' })).toThrow(CannotOpen);
  });

  it('does not open a record with an altered byte', () => {
    const record = vault.seal('text', context);
    for (const box of ['wrappedKey', 'text'] as const) {
      for (const part of ['iv', 'data', 'tag'] as const) {
        const bytes = Buffer.from(record[box][part], 'base64');
        bytes[0] = (bytes[0] ?? 0) ^ 1;
        const altered = { ...record, [box]: { ...record[box], [part]: bytes.toString('base64') } };
        expect(() => vault.open(altered, context)).toThrow(CannotOpen);
      }
    }
  });

  it.each([2, 0, '1', null, undefined])(
    'refuses a record of version %p with a message that names the version',
    (version) => {
      const record: object = { ...vault.seal('text', context), version };
      const open = () => vault.open(record as SealedRecord, context);
      expect(open).toThrow(CannotOpen);
      expect(open).toThrow(
        `the sealed record has the version ${String(version)}, and this release opens version 1 only`,
      );
    },
  );

  it('opens old records after a key rotation, until the old key is removed', () => {
    const record = vault.seal('text', context);
    expect(new Vault(new Keyring([second, first])).open(record, context)).toBe('text');
    expect(() => new Vault(new Keyring([second])).open(record, context)).toThrow(CannotOpen);
  });
});

describe('Keyring', () => {
  it('names VAULT_KEYS_FILE in the error when it cannot read the file', () => {
    const config = loadConfig({ VAULT_KEYS_FILE: '/nowhere/vault-keys' });
    expect(() => Keyring.fromConfig(config)).toThrow(/^VAULT_KEYS_FILE: the file cannot be read \(ENOENT.+\)$/);
  });

  it('refuses two keys with the same id, because a record would be sealed with one and opened with the other', () => {
    const line = ({ id, key }: typeof first): string => `${id}:${key.toString('base64')}`;
    const config = loadConfig({ VAULT_KEYS: [line({ ...second, id: 'k1' }), line(first)].join(',') });
    expect(() => Keyring.fromConfig(config)).toThrow(
      'VAULT_KEYS: the id k1 occurs twice, with other bytes; give each new key an id that was never used',
    );
  });

  it('accepts a list that contains a key twice, and seals with the first key of the list', () => {
    const line = ({ id, key }: typeof first): string => `${id}:${key.toString('base64')}`;
    const config = loadConfig({ VAULT_KEYS: [second, first, second].map(line).join(',') });
    const context = { organizationId: 'o', projectId: 'p', walletId: 'w', field: 'f' };
    expect(new Vault(Keyring.fromConfig(config)).seal('text', context).keyId).toBe(second.id);
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
