import { Injectable } from '@nestjs/common';
import type { KeySource } from './keys/key-provider.js';
import { SealedTables, type KeyProblem } from './sealed-tables.js';
import { Vault } from './vault.js';

/** A key of the vault or of stored records. */
export interface KeyStatus {
  keyId: string;
  /** null = the vault does not have the key. */
  source: KeySource | null;
  isPrimary: boolean;
  /** Stored records that are sealed with the key. */
  records: number;
  /** The same by table; tables without such records are left out. */
  tables: Record<string, number>;
  /** Whether sample records open; null = all of them do. */
  problem: KeyProblem['kind'] | null;
  /** Whether the key can be removed from the vault: no record needs it, and it is not the primary key. */
  mayBeRemoved: boolean;
}

/** Reports which keys the stored records need. */
@Injectable()
export class VaultStatus {
  constructor(
    private readonly vault: Vault,
    private readonly sealed: SealedTables,
  ) {}

  /** @returns the keys of the vault in their order, then the keys that it lacks. @throws KeysUnavailable */
  async execute(): Promise<KeyStatus[]> {
    const counts = new Map<string, Record<string, number>>(this.vault.keys.map(({ id }) => [id, {}]));
    for (const [name, { countByKey }] of this.sealed.list()) {
      for (const { keyId, count } of await countByKey()) counts.set(keyId, { ...counts.get(keyId), [name]: count });
    }
    const problems = new Map((await this.sealed.findProblems()).map(({ keyId, kind }) => [keyId, kind]));
    return [...counts].map(([keyId, tables]) => {
      const source = this.vault.keys.find(({ id }) => id === keyId)?.source ?? null;
      const isPrimary = this.vault.keys[0]?.id === keyId;
      const records = Object.values(tables).reduce((sum, count) => sum + count, 0);
      const mayBeRemoved = source !== null && !isPrimary && records === 0;
      return { keyId, source, isPrimary, records, tables, problem: problems.get(keyId) ?? null, mayBeRemoved };
    });
  }
}
