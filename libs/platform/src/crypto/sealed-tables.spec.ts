import { randomBytes } from 'node:crypto';
import { Keyring } from './keyring.js';
import { KeysUnavailable } from './keys/keys-unavailable.js';
import { LocalKey } from './keys/local-key.js';
import { ResealRecords } from './reseal-records.js';
import { SealedTables, wrongKeysIn, type ResealableRows, type SealedTable } from './sealed-tables.js';
import { CannotOpen, Vault, type SealedRecord } from './vault.js';

const context = { organizationId: 'o', projectId: 'p', walletId: 'w', field: 'f' };
const keyOf = (id: string): LocalKey => new LocalKey(id, randomBytes(32), 'file');
const vaultOf = (first: LocalKey, ...rest: LocalKey[]): Vault => new Vault(new Keyring([first, ...rest]));
const [k1, k2] = [keyOf('k1'), keyOf('k2')];

type Outcome = 'sealed' | 'changed' | 'unreadable' | 'unavailable';

/** A row of a table in memory: the key of its record, and the outcomes of `reseal`. The last one is repeated. */
interface Row {
  key: string;
  next?: Outcome[];
}

const times = (count: number, outcome: Outcome): Outcome[] => Array.from({ length: count }, () => outcome);

function rowsOf(table: Map<string, Row>): ResealableRows {
  const others = (keyId: string): string[] => [...table].filter(([, { key }]) => key !== keyId).map(([id]) => id);
  return {
    countOther: (keyId) => Promise.resolve(others(keyId).length),
    listOther: (keyId, after, limit) =>
      Promise.resolve(
        others(keyId)
          .sort()
          .filter((id) => after === null || id > after)
          .slice(0, limit),
      ),
    reseal: async (id) => {
      const row = table.get(id);
      if (row === undefined) throw new Error(`the table has no row ${id}`);
      const outcome = row.next?.length === 1 ? row.next[0] : row.next?.shift();
      if (outcome === 'unreadable') throw new CannotOpen();
      if (outcome === 'unavailable') throw new KeysUnavailable('scripted');
      if (outcome === 'changed') return Promise.resolve(false);
      row.key = 'k2';
      return true;
    },
  };
}

const tableOf = (rows: ResealableRows | null, samples: SealedRecord[] = []): SealedTable => ({
  samples: () => Promise.resolve(samples.map((record) => ({ record, context }))),
  countByKey: () => Promise.resolve([]),
  rows,
});

async function reseal(rows: Record<string, Row>, batch = 2) {
  const vault = vaultOf(k2, k1);
  const tables = new SealedTables(vault);
  const table = new Map(Object.entries(rows));
  tables.add('erased soon', tableOf(null));
  tables.add('secrets', tableOf(rowsOf(table)));
  const progress: string[] = [];
  const result = await new ResealRecords(vault, tables).execute({
    batch,
    onProgress: ({ table: name, done, total }) => void progress.push(`${name} ${done}/${total}`),
  });
  return { result, progress, keys: [...table.values()].map(({ key }) => key) };
}

describe('the rows of tables with sealed records', () => {
  it('are sealed again with the primary key, batch by batch, except those that have it', async () => {
    const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    const rows = Object.fromEntries(ids.map((id) => [id, { key: id === 'c' ? 'k2' : 'k1' }]));
    const { result, progress, keys } = await reseal(rows);
    expect(result).toEqual({ resealed: 6, unreadable: 0, unreadableRows: [], left: 0 });
    expect(new Set(keys)).toEqual(new Set(['k2']));
    expect(progress).toEqual(['secrets 2/6', 'secrets 4/6', 'secrets 6/6', 'secrets 6/6', 'secrets 6/6']);
  });

  it('are read again when a concurrent write has changed them, and are left after five times', async () => {
    const { result, keys } = await reseal({
      a: { key: 'k1', next: [...times(4, 'changed'), 'sealed'] },
      b: { key: 'k1', next: [...times(5, 'changed'), 'sealed'] },
      c: { key: 'k1' },
    });
    expect(result).toMatchObject({ resealed: 2, unreadable: 0, left: 1 });
    expect(keys).toEqual(['k2', 'k1', 'k2']);
  });

  it('are left and named when they cannot be opened: the first 20 of them, each once', async () => {
    const bad = Array.from({ length: 22 }, (_, index) => `bad${String(index).padStart(2, '0')}`);
    const rows = Object.fromEntries(bad.map((id): [string, Row] => [id, { key: 'k1', next: ['unreadable'] }]));
    const { result } = await reseal({ ...rows, fresh: { key: 'k1', next: ['changed'] } }, 5);
    expect(result).toMatchObject({ resealed: 0, unreadable: 22, left: 1 });
    expect(result.unreadableRows).toEqual(bad.slice(0, 20).map((id) => `secrets ${id}`));
  });

  it('are not sealed again while the service of a key does not answer', async () => {
    await expect(reseal({ a: { key: 'k1', next: ['unavailable'] } })).rejects.toBeInstanceOf(KeysUnavailable);
  });
});

describe('the keys of stored records', () => {
  const sealedBy = (key: LocalKey): Promise<SealedRecord> => vaultOf(key).seal('secret', context);

  it('are a problem when the vault lacks them, or when they open none or only some of the records', async () => {
    const [old, same] = [keyOf('k1'), keyOf('k3')];
    const tables = new SealedTables(vaultOf(k1, k2, same));
    tables.add('one', tableOf(null, [await sealedBy(k1), await sealedBy(keyOf('gone')), await sealedBy(keyOf('k2'))]));
    tables.add('two', tableOf(null, [await sealedBy(old), await sealedBy(same), await sealedBy(keyOf('k2'))]));
    const problems = await tables.findProblems();
    expect(problems).toEqual([
      { keyId: 'gone', kind: 'missing', tables: ['one'] },
      { keyId: 'k1', kind: 'doubtful', tables: ['two'] },
      { keyId: 'k2', kind: 'wrong', tables: ['one', 'two'] },
    ]);
    expect(wrongKeysIn(problems)).toMatch(/under the key id k2; restore/);
    expect(wrongKeysIn(problems.slice(0, 2))).toBeNull();
  });

  it('are not judged while the service of a key does not answer', async () => {
    const tables = new SealedTables(
      vaultOf(Object.assign(keyOf('k1'), { unwrap: () => Promise.reject(new KeysUnavailable('scripted')) })),
    );
    tables.add('one', tableOf(null, [await sealedBy(k1)]));
    await expect(tables.findProblems()).rejects.toBeInstanceOf(KeysUnavailable);
  });
});
