import type { EntityManager } from 'typeorm';
import type { ProjectIdentity } from '#access';
import type { Database } from '#platform/database';
import { NotFound } from '#platform/errors';
import { walletTables } from './wallet-data.js';

/** Number of rows that are in memory at the same time. */
const ROWS_PER_READ = 500;

/** Columns with secrets and hashes of secrets. They are never exported. */
const SECRETS = [
  'sealed',
  'sealed_codes',
  'key_digest',
  'token_hash',
  'browser_hash',
  'state_hash',
  'spent_state_hash',
];

/** The version of the document; docs/data.md describes it. */
const FORMAT = 'causeway.wallet-export/1';

/** The values of the conditions in `walletTables`. */
export type Owner = [projectId: string, externalWalletId: string, walletIds: string[]];

export interface ExportOptions {
  project: ProjectIdentity;
  externalWalletId: string;
  /** Returns the identity of the owner; null = none is stored. */
  identity: () => Promise<object | null>;
  /** Writes the next part of the JSON document. */
  write: (text: string) => void;
}

/**
 * Writes everything that this installation stores about a wallet, as one JSON document and without credentials. All
 * rows are of the same moment. Amounts are exact: a reader must not turn them into binary floating-point numbers.
 * @throws NotFound when the project has never connected a wallet with this id
 */
export async function exportWallet(db: Database, options: ExportOptions): Promise<void> {
  const { project, externalWalletId, write } = options;
  const identity = await options.identity();
  await db.transaction(async (tx) => {
    await db.query(`set transaction isolation level repeatable read`, [], tx);
    const values = await ownerOf(db, tx, options);
    const { id: projectId, organizationId } = project;
    const head = { format: FORMAT, organizationId, projectId, walletId: externalWalletId, identity };
    write(`${JSON.stringify(head).slice(0, -1)},"tables":{`);
    let separator = '';
    for (const [table, { rows, isExported }] of Object.entries(walletTables)) {
      if (!isExported || rows === null) continue;
      write(`${separator}\n"${table}":[`);
      await writeRows(db, tx, { table, rows, values, write });
      write(']');
      separator = ',';
    }
    write('\n}}\n');
  });
}

/** Returns the values of the conditions in `walletTables`. @throws NotFound */
export async function ownerOf(
  db: Database,
  tx: EntityManager,
  { project, externalWalletId }: Pick<ExportOptions, 'project' | 'externalWalletId'>,
): Promise<Owner> {
  const wallets = await db.query<{ id: string }>(
    `select id from wallets where project_id = $1 and external_id = $2`,
    [project.id, externalWalletId],
    tx,
  );
  if (wallets.length === 0) throw new NotFound('Wallet');
  return [project.id, externalWalletId, wallets.map(({ id }) => id)];
}

/** Reads the rows through a cursor, so that a long history does not have to fit into the memory. */
async function writeRows(
  db: Database,
  tx: EntityManager,
  { table, rows, values, write }: Pick<ExportOptions, 'write'> & { table: string; rows: string; values: Owner },
): Promise<void> {
  const [projectId, externalWalletId, walletIds] = values;
  // A cursor takes no parameters, so the values of the condition are settings of the transaction.
  await db.query(
    `select set_config('export.project', $1, true), set_config('export.wallet', $2, true), set_config('export.ids', $3, true)`,
    [projectId, externalWalletId, `{${walletIds.join(',')}}`],
    tx,
  );
  const condition = rows
    .replaceAll('$1', `current_setting('export.project')::uuid`)
    .replaceAll('$2', `current_setting('export.wallet')`)
    .replaceAll('$3::text[]', `current_setting('export.ids')::text[]`)
    .replaceAll('$3', `current_setting('export.ids')::uuid[]`);
  const bound = `select (to_jsonb(t) - '{${SECRETS.join(',')}}'::text[])::text as line from ${table} t where ${condition}`;
  await db.query(`declare rows_of_table no scroll cursor for ${bound}`, [], tx);
  let separator = '\n';
  for (;;) {
    const lines = await db.query<{ line: string }>(`fetch ${ROWS_PER_READ} from rows_of_table`, [], tx);
    for (const { line } of lines) {
      write(separator + line);
      separator = ',\n';
    }
    if (lines.length < ROWS_PER_READ) break;
  }
  await db.query(`close rows_of_table`, [], tx);
}
