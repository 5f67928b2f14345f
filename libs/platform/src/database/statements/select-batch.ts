import type pg from 'pg';
import type { Batched } from './named-select.js';
import { nameProject, takeSetting, unsentProject } from './project-setting.js';

/** The settings of a `pg` client, which its types leave out. */
interface WithSettings {
  connectionParameters: { query_timeout?: number | false };
}

/**
 * Prepared statements that are sent to PostgreSQL in one message. They run in their order and end together. When one
 * fails, PostgreSQL skips those after it, and they fail with the same error. Outside of a transaction, they form one
 * transaction.
 */
export class SelectBatch implements pg.Submittable {
  /** The number of the statements that have run. */
  private completed = 0;

  /**
   * How long the client waits for the whole batch, in milliseconds: its limit for one statement times the number of
   * statements, because PostgreSQL, too, limits each statement separately.
   */
  query_timeout: number | undefined;

  /** Called once, when the batch has ended. A `pg` client with a time-out wraps this function to stop its timer. */
  callback: (error: Error | null) => void = () => undefined;

  constructor(private selects: readonly Batched[]) {}

  /** Name and text of the running statement. The `pg` client notes them when PostgreSQL has parsed the statement. */
  get name(): string {
    return this.current?.name ?? '';
  }

  get text(): string {
    return this.current?.text ?? '';
  }

  /**
   * Runs the statements on a connection. Each statement's own `callback` gets its result or the failure.
   * @param end called before these callbacks, with the failure of the batch, or with null
   */
  runOn(client: pg.ClientBase, end: (failure: Error | null) => void = () => undefined): void {
    const project = unsentProject(client);
    this.selects = [...takeSetting(client), ...this.selects];
    this.callback = (failure) => {
      // PostgreSQL takes the setting back together with the statement that failed.
      if (failure !== null && project !== undefined) nameProject(client, project);
      end(failure);
      for (const [index, select] of this.selects.entries()) {
        if (index < this.completed || failure === null) select.end();
        else select.handleError(failure);
      }
    };
    const { query_timeout: ofOne } = (client as object as WithSettings).connectionParameters;
    this.query_timeout = typeof ofOne === 'number' ? ofOne * this.selects.length : undefined;
    client.query(this);
  }

  submit(connection: pg.Connection): Error | null {
    const texts = new Map<string, string>();
    for (const select of this.selects) {
      const problem = select.problemOn(connection, texts);
      if (problem !== null) return problem;
      texts.set(select.name, select.text);
    }
    connection.stream.cork();
    // Only the first statement with each name sends its text: for the others, `delete` returns false.
    for (const select of this.selects) select.write(connection, texts.delete(select.name));
    connection.sync();
    connection.stream.uncork();
    return null;
  }

  handleRowDescription(description: { fields: readonly pg.FieldDef[] }): void {
    this.current?.handleRowDescription(description);
  }

  handleDataRow(row: { fields: readonly (string | null)[] }): void {
    this.current?.handleDataRow(row);
  }

  handleCommandComplete(): void {
    this.completed += 1;
  }

  handleReadyForQuery(): void {
    this.callback(null);
  }

  handleError(error: Error): void {
    this.callback(error);
  }

  private get current(): Batched | undefined {
    return this.selects[this.completed];
  }
}
