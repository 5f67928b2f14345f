import { Injectable } from '@nestjs/common';
import { Projects, type ProjectIdentity } from '#access';
import {
  rowsOfEachKey,
  Secret,
  SealedTables,
  Vault,
  type SealedRecord,
  type SealedSample,
  type SealedTable,
} from '#platform/crypto';
import { Database, SealedRows, type SealedColumn } from '#platform/database';
import { Wallets } from '../wallets/wallets.service.js';
import { KeyDigests } from './key-digests.js';
import { contextOf, resealCredentials, type CredentialOwner, type SealedCredentials } from './sealed-credentials.js';

const API_KEY = `sealed->'fields'->'apiKey'`;

interface StoredRow<Sealed> {
  owner: CredentialOwner & { project: ProjectIdentity };
  /** The version of the credentials to which the record belongs. */
  version: string;
  sealed: Sealed;
}

/** Registers the sealed tables of wallets: their keys are compared at the start, and they can be sealed again. */
@Injectable()
export class SealedWalletTables {
  constructor(
    private readonly db: Database,
    private readonly vault: Vault,
    private readonly projects: Projects,
    private readonly wallets: Wallets,
    private readonly digests: KeyDigests,
    tables: SealedTables,
  ) {
    tables.add('wallet_credentials', this.current());
    tables.add('replaced_credentials', this.replaced());
    tables.add('wallet_grants', this.grants());
  }

  private current(): SealedTable {
    // Digests with an earlier API_KEY_PEPPER are made anew, too.
    const orWhere = `substring(key_digest from 1 for 4) <> '\\x${this.digests.keyName.toString('hex')}'::bytea`;
    const column = { table: 'wallet_credentials', id: 'wallet_id', record: API_KEY, orWhere };
    return this.table(column, `sealed->>'id'`, async (id) => {
      const row = await this.readRow<SealedCredentials>(column, id, `sealed->>'id'`);
      if (row === null) return false;
      const { owner, sealed: old } = row;
      const { apiKey } = old.fields;
      if (apiKey === undefined) throw new Error('the sealed credentials have no API key');
      const text = await this.vault.open(apiKey, contextOf(owner, 'apiKey', old));
      const written = await this.db.query(
        `update wallet_credentials set sealed = $3, key_digest = case when key_digest is not null then $4::bytea end
          where wallet_id = $1 and sealed = $2 returning wallet_id`,
        [
          id,
          JSON.stringify(old),
          JSON.stringify(await resealCredentials(this.vault, owner, old)),
          this.digests.ofKey(new Secret(text)),
        ],
      );
      return written.length > 0;
    });
  }

  private replaced(): SealedTable {
    const column = { table: 'replaced_credentials', id: 'version', record: API_KEY };
    return this.table(column, 'version', async (id) => {
      const row = await this.readRow<SealedCredentials>(column, id, 'version');
      if (row === null) return false;
      const sealed = await resealCredentials(this.vault, row.owner, row.sealed);
      return await new SealedRows(this.db, column).replace(id, row.sealed, sealed);
    });
  }

  private grants(): SealedTable {
    const column = { table: 'wallet_grants', id: 'wallet_id', record: 'sealed' };
    const version = `(select version from current_credentials c where c.wallet_id = found.wallet_id)`;
    return this.table(column, version, async (id) => {
      const row = await this.readRow<SealedRecord>(column, id, version);
      if (row === null) return false;
      const { owner, sealed: old } = row;
      const write = { id: row.version, sequence: old.sequence };
      const sealer = await this.vault.sealer(owner.project);
      const sealed = await this.vault.reseal(old, contextOf(owner, 'refreshToken', write), sealer);
      return await new SealedRows(this.db, column).replace(id, old, sealed);
    });
  }

  /** @param version SQL expression of the version of the credentials to which a row `found` belongs. */
  private table(column: SealedColumn, version: string, reseal: (id: string) => Promise<boolean>): SealedTable {
    const rows = new SealedRows(this.db, column);
    return {
      samples: () => this.readSamples(column, version),
      countByKey: () => rows.countByKey(),
      rows: {
        countOther: (keyId) => rows.countOther(keyId),
        listOther: (keyId, after, limit) => rows.listOther(keyId, after, limit),
        reseal,
      },
    };
  }

  private async readRow<Sealed>(
    { table, id: column }: SealedColumn,
    id: string,
    version: string,
  ): Promise<StoredRow<Sealed> | null> {
    const [row] = await this.db.query<{ walletId: string; projectId: string; version: string; sealed: Sealed }>(
      `select found.wallet_id as "walletId", w.project_id as "projectId", ${version} as version, found.sealed
         from ${table} found join wallets w on w.id = found.wallet_id where found.${column} = $1`,
      [id],
    );
    if (row === undefined) return null;
    const { walletId, projectId, ...stored } = row;
    return { ...stored, owner: { walletId, project: await this.projects.getContext(projectId) } };
  }

  private async readSamples({ table, record }: SealedColumn, version: string): Promise<SealedSample[]> {
    const rows = await this.db.query<{ walletId: string; sealed: SealedRecord; id: string }>(
      `select wallet_id as "walletId", ${record} as sealed, ${version} as id
         from (${rowsOfEachKey(`every_${table}`, record)}) found`,
    );
    const owned = await this.wallets.withProjects(rows);
    const field = table === 'wallet_grants' ? 'refreshToken' : 'apiKey';
    // A sample shows whether the key is right. Whether the record is the current one is checked where it is used.
    return owned.map(({ sealed, id, ...owner }) => {
      return { record: sealed, context: contextOf(owner, field, { id, sequence: sealed.sequence }) };
    });
  }
}
