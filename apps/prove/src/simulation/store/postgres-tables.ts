import type pg from 'pg';

/** Tables that are not emptied, because their rows are part of the schema. */
const KEPT = ['migrations', 'withdrawal_transitions', 'database_epochs'];

interface TableBackup {
  name: string;
  /** Rows as JSON text, whose numbers keep all their digits because the text is not parsed. */
  rows: string;
}

/** Empties, backs up and restores all tables of one database, with the rights of its owner. */
export class PostgresTables {
  private backup: readonly TableBackup[] | null = null;
  isRestored = false;

  constructor(private readonly owner: pg.Client) {}

  async clear(): Promise<void> {
    const deletions = (await this.names()).map((name) => `delete from ${name}`);
    await this.write([
      ...deletions,
      'delete from database_epochs',
      'insert into database_epochs values (current_database_epoch(), now(), true)',
    ]);
    this.backup = null;
    this.isRestored = false;
  }

  async backUp(): Promise<void> {
    const backup: TableBackup[] = [];
    for (const name of await this.names()) {
      const { rows } = await this.owner.query<{ rows: string | null }>(
        `select jsonb_agg(to_jsonb(t))::text as rows from ${name} t`,
      );
      backup.push({ name, rows: rows[0]?.rows ?? '[]' });
    }
    this.backup = backup;
  }

  /** Restores the rows of `backUp` and gives the database another epoch, as a recovery does. */
  async restore(): Promise<void> {
    if (this.backup === null) throw new Error('no backup was made before the restore');
    await this.write([
      ...this.backup.map(({ name }) => `delete from ${name}`),
      ...this.backup.map(
        ({ name, rows }) =>
          `insert into ${name} select * from jsonb_populate_recordset(null::${name}, ${this.owner.escapeLiteral(rows)})`,
      ),
      `update database_epochs set epoch = 'an epoch before ' || gen_random_uuid()
         where epoch = current_database_epoch()`,
    ]);
    this.isRestored = true;
  }

  /** Makes kept credentials old enough for their erasure, because the simulated time is not that of the database. */
  async ageKeptCredentials(): Promise<void> {
    await this.write([
      `update wallet_credentials set kept_since = '-infinity' where kept_since is not null`,
      `update replaced_credentials set stored_at = '-infinity'`,
    ]);
  }

  /** Runs the statements in one transaction, with triggers and foreign keys switched off. */
  private async write(statements: readonly string[]): Promise<void> {
    await this.owner.query(`begin; set local session_replication_role = replica; ${statements.join('; ')}; commit`);
  }

  private async names(): Promise<string[]> {
    const { rows } = await this.owner.query<{ name: string }>(
      `select quote_ident(tablename) as name from pg_tables where schemaname = 'public' and tablename <> all($1)`,
      [KEPT],
    );
    return rows.map(({ name }) => name);
  }
}
