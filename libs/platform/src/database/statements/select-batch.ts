import type pg from 'pg';
import type { Batched } from './named-select.js';

/** The part of a client that has its settings. */
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

  /** How long the client waits for all statements, in milliseconds, because PostgreSQL limits each one separately. */
  query_timeout: number | undefined;

  /** Called once, with the result. A client with a time-out replaces this function, in order to end the time-out. */
  callback: (error: Error | null) => void = () => undefined;

  constructor(private readonly selects: readonly Batched[]) {}

  /** Name and text of the statement that PostgreSQL is running. The client reads both when the statement was parsed. */
  get name(): string {
    return this.current?.name ?? '';
  }

  get text(): string {
    return this.current?.text ?? '';
  }

  /**
   * Runs the statements on a connection, and ends each with its own result.
   * @param end called with the first failure
   */
  runOn(client: pg.ClientBase, end: (failure: Error | null) => void = () => undefined): void {
    this.callback = (failure) => {
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
    // `delete` returns true only for the first statement with each name.
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
