import { Keyring, LocalKey, SealedTables, Vault, type SealedRecord } from './index.js';
import { VaultStatus } from './vault-status.js';

const context = { organizationId: 'o', projectId: 'p', walletId: 'w', field: 'credentials' };
const key = (id: string, byte: number): LocalKey => new LocalKey(id, Buffer.alloc(32, byte));
const [present, earlier, unused, lost] = [key('present', 1), key('earlier', 2), key('unused', 3), key('lost', 4)];

/** The status of a vault with three keys, beside records of two tables that were sealed with these keys. */
async function statusOf(records: Readonly<Record<string, readonly LocalKey[]>>) {
  const vault = new Vault(new Keyring([present, earlier, unused]));
  const tables = new SealedTables(vault);
  for (const [table, keys] of Object.entries(records)) {
    const sealed: SealedRecord[] = [];
    for (const one of keys) sealed.push(await new Vault(new Keyring([one])).seal('text', context));
    tables.add(table, {
      samples: () => Promise.resolve(sealed.map((record) => ({ record, context }))),
      countByKey: () =>
        Promise.resolve(
          [...new Set(keys)].map(({ id }) => ({ keyId: id, count: sealed.filter(({ keyId }) => keyId === id).length })),
        ),
      rows: null,
    });
  }
  return new VaultStatus(vault, tables).execute();
}

describe('the status of the vault', () => {
  it('adds up the records of each key over all tables, the keys of the vault first', async () => {
    const status = await statusOf({ wallets: [present, earlier, lost], webhooks: [earlier] });
    expect(status.map(({ keyId, records, tables }) => [keyId, records, tables])).toEqual([
      ['present', 1, { wallets: 1 }],
      ['earlier', 2, { wallets: 1, webhooks: 1 }],
      ['unused', 0, {}],
      ['lost', 1, { wallets: 1 }],
    ]);
  });

  it('allows the removal only of a key that the vault has, that is not the primary one, and that no record needs', async () => {
    const removable = async (records: Parameters<typeof statusOf>[0]) =>
      (await statusOf(records)).filter(({ mayBeRemoved }) => mayBeRemoved).map(({ keyId }) => keyId);
    expect(await removable({ wallets: [earlier, lost] })).toEqual(['unused']);
    expect(await removable({ wallets: [present] })).toEqual(['earlier', 'unused']);
    expect(await removable({})).toEqual(['earlier', 'unused']);
  });

  it('names the keys that the vault lacks as missing, and the first key as the primary one', async () => {
    const status = await statusOf({ wallets: [present, lost] });
    expect(status.find(({ keyId }) => keyId === 'lost')).toMatchObject({ source: null, problem: 'missing' });
    expect(status.filter(({ isPrimary }) => isPrimary).map(({ keyId }) => keyId)).toEqual(['present']);
  });
});
