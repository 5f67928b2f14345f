import pg from 'pg';
import { NamedSelect } from './named-select.js';

/** The setting that a connection still has to send before the first statement of its present user. */
const unsent = new WeakMap<pg.ClientBase, string>();
/** The connections that have had a project since they were opened. */
const named = new WeakSet<pg.ClientBase>();

/**
 * Makes a connection name the project before its next statement. The policies of PostgreSQL then let the API's role see
 * only the rows of this project, and refuse every row when the project is null.
 * @param client just taken from the pool
 */
export function nameProject(client: pg.ClientBase, projectId: string | null): void {
  // Processes that never name a project, such as workers, send no setting at all.
  if (projectId === null && !named.has(client)) return;
  named.add(client);
  unsent.set(client, projectId ?? '');
}

/** Returns the project that the next statement has to name first; undefined = it was sent. */
export function unsentProject(client: pg.ClientBase): string | undefined {
  return unsent.get(client);
}

/** Returns the statement that names the project, for the round trip of the next statement; empty = it was sent. */
export function takeSetting(client: pg.ClientBase): NamedSelect<object>[] {
  const project = unsent.get(client);
  if (project === undefined) return [];
  unsent.delete(client);
  // A SELECT of `set_config` would count as a query of the transaction, which can then no longer choose its isolation.
  const text = `set causeway.project_id to ${pg.escapeLiteral(project)}`;
  return [new NamedSelect({ name: '', text, isRare: true }, [], { create: () => ({}), convert: new Map() })];
}

/**
 * Makes a connection send the setting also before statements that do not take it themselves, such as those of TypeORM.
 * When the setting fails, the connection is closed, so that no statement runs with the project of an earlier user.
 */
export function sendSettingFirst(client: pg.PoolClient): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  const withSetting = (...args: unknown[]): unknown => {
    for (const setting of takeSetting(client)) {
      setting.callback = (failure) => {
        if (failure !== null) (client as pg.Client & pg.PoolClient).connection.stream.destroy();
      };
      query(setting);
    }
    return query(...args);
  };
  client.query = withSetting as typeof client.query;
}
