import type pg from 'pg';
import type { Batched } from './named-select.js';

/** A statement did not run, because one before it in the same round trip failed. */
class Skipped extends Error {
  constructor(cause: Error) {
    super('an earlier statement of the same round trip failed', { cause });
  }
}

/**
 * Prepared statements that are sent to PostgreSQL in one message. They run in their order and end together. When one fails,
 * PostgreSQL skips those after it. Outside of a transaction they are one transaction.
 */
export class SelectBatch implements pg.Submittable {
  /** The number of the statements that have run. */
  private completed = 0;

  /** Called once. The client replaces it to end its time-out. */
  callback: (error: Error | null) => void = () => undefined;

  constructor(private readonly selects: readonly Batched[]) {}

  /** The name and the text of the statement that PostgreSQL is running: the client notes them when it was parsed. */
  get name(): string {
    return this.current?.name ?? '';
  }

  get text(): string {
    return this.current?.text ?? '';
  }

  /** Runs the statements on a connection, and ends each with its own result. @param end called with the first failure */
  runOn(client: pg.ClientBase, end: (failure: Error | null) => void = () => undefined): void {
    this.callback = (failure) => {
      end(failure);
      for (const [index, select] of this.selects.entries()) {
        if (index < this.completed || failure === null) select.end();
        else select.handleError(index === this.completed ? failure : new Skipped(failure));
      }
    };
    client.query(this);
  }

  submit(connection: pg.Connection): Error | null {
    for (const select of this.selects) {
      const problem = select.problemOn(connection);
      if (problem !== null) return problem;
    }
    const parsing = new Set<string>();
    connection.stream.cork();
    for (const select of this.selects) select.write(connection, parsing);
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
