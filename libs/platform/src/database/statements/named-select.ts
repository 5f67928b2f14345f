import pg from 'pg';

/** A statement that each connection prepares once, under its name. Equal names must have equal texts. */
export interface NamedStatement {
  name: string;
  text: string;
  /**
   * true: PostgreSQL prepares the statement for each run and then forgets it. A connection keeps all other statements
   * until it closes, with tens of kilobytes for each. So statements that callers can vary in many ways must be rare.
   */
  isRare?: boolean;
}

/** PostgreSQL keeps a statement without a name only until the next one. */
const NO_NAME = '';

/** The functions that turn the rows of a statement into objects. */
export interface RowReader<Row> {
  create: () => Row & object;
  /** For each name of a column, the function that converts its values, null included. */
  convert: ReadonlyMap<string, (value: unknown) => unknown>;
}

interface Column {
  name: string;
  toValue: (text: string) => unknown;
  convert: ((value: unknown) => unknown) | undefined;
}

/** A connection of `pg`, with the member that its types leave out: the texts of the prepared statements, by name. */
type QueryConnection = pg.Connection & { readonly parsedStatements: Partial<Record<string, string>> };

/** The parts of a statement that do not depend on the type of its rows. */
export type Batched = Pick<
  NamedSelect<never>,
  'name' | 'text' | 'problemOn' | 'write' | 'handleRowDescription' | 'handleDataRow' | 'end' | 'handleError'
>;

/** The columns of the statements that each connection has prepared. They never change for one connection. */
const columnsOf = new WeakMap<pg.Connection, Map<string, readonly Column[]>>();

/**
 * A query for one named statement, which a `pg` client can run. The query class of `pg` would ask for the description
 * of the columns each time, build each row from it, and copy its options. For a short SELECT, that is most of the work.
 */
export class NamedSelect<Row> implements pg.Submittable {
  /** The `pg` client notes name and text when PostgreSQL has parsed the statement. */
  readonly name: string;
  readonly text: string;
  private readonly parameters: (string | Buffer | null)[];
  private readonly rows: Row[] = [];
  private columns: readonly Column[] = [];
  /** The connection on which this query asks for a description of its columns; null = the columns are known. */
  private describedTo: pg.Connection | null = null;
  private fault: Error | null = null;

  /** Called once, with the result. A `pg` client with a time-out wraps this function to stop its timer. */
  callback: (error: Error | null, rows: Row[]) => void = () => undefined;

  /**
   * @throws TypeError for an object that is not a date, bytes or a list. A rare statement takes every object, as JSON.
   */
  constructor(
    { name, text, isRare = false }: NamedStatement,
    values: readonly unknown[],
    private readonly reader: RowReader<Row>,
  ) {
    this.name = isRare ? NO_NAME : name;
    this.text = text;
    const convert = isRare ? toAnyParameter : toParameter;
    this.parameters = values.map((value) => (Buffer.isBuffer(value) ? value : convert(value)));
  }

  /** Resolves with the rows when the statement has run. */
  ended(): Promise<Row[]> {
    return new Promise((resolve, reject) => {
      this.callback = (error, rows) => {
        if (error === null) resolve(rows);
        else reject(error);
      };
    });
  }

  submit(connection: pg.Connection): Error | null {
    const problem = this.problemOn(connection);
    if (problem !== null) return problem;
    // All messages are sent in one write.
    connection.stream.cork();
    this.write(connection);
    connection.sync();
    connection.stream.uncork();
    return null;
  }

  /**
   * Returns why the statement cannot run on the connection; null = it can run.
   * @param before the texts of the earlier statements in the same round trip, by name
   */
  problemOn(connection: pg.Connection, before?: ReadonlyMap<string, string>): Error | null {
    if (this.name === NO_NAME) return null;
    const parsed = (connection as QueryConnection).parsedStatements[this.name] ?? before?.get(this.name);
    return parsed === undefined || parsed === this.text ? null : new Error(`two statements have the name ${this.name}`);
  }

  /**
   * Writes the messages of the statement, without the message that ends a round trip.
   * @param isFirst whether no earlier statement in the same round trip has this statement's name
   */
  write(given: pg.Connection, isFirst = true): void {
    const connection = given as QueryConnection;
    const { name, text } = this;
    const isParsed = connection.parsedStatements[name] !== undefined;
    const columns = isParsed ? columnsOf.get(connection)?.get(name) : undefined;
    if (!isParsed && (isFirst || name === NO_NAME)) connection.parse({ name, text, types: [] }, true);
    connection.bind({ statement: name, values: this.parameters }, true);
    if (columns === undefined) {
      this.describedTo = connection;
      connection.describe({ type: 'P' }, true);
    } else this.columns = columns;
    connection.execute({}, true);
  }

  handleRowDescription({ fields }: { fields: readonly pg.FieldDef[] }): void {
    this.columns = fields.map(({ name, dataTypeID }) => ({
      name,
      toValue: pg.types.getTypeParser(dataTypeID, 'text') as (text: string) => unknown,
      convert: this.reader.convert.get(name),
    }));
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    if (this.fault !== null) return;
    try {
      this.rows.push(this.toRow(fields));
    } catch (error) {
      this.fault = error as Error;
    }
  }

  handleCommandComplete(): void {
    // Nothing is to be done, because the next message is always "ready for query".
  }

  handleReadyForQuery(): void {
    this.end();
  }

  /** Calls `callback` with the result. Must be called after the statement has run. */
  end(): void {
    if (this.describedTo !== null && this.name !== NO_NAME) this.keepColumns(this.describedTo);
    this.callback(this.fault, this.rows);
  }

  handleError(error: Error): void {
    this.callback(error, []);
  }

  private keepColumns(connection: pg.Connection): void {
    let known = columnsOf.get(connection);
    if (known === undefined) columnsOf.set(connection, (known = new Map<string, readonly Column[]>()));
    known.set(this.name, this.columns);
  }

  private toRow(fields: readonly (string | null)[]): Row {
    const row = this.reader.create() as Record<string, unknown>;
    for (let index = 0; index < fields.length; index += 1) {
      const { name, toValue, convert } = this.columns[index];
      const text = fields[index] ?? null;
      const value = text === null ? null : toValue(text);
      row[name] = convert === undefined ? value : convert(value);
    }
    return row as Row;
  }
}

/** Returns the text of a parameter. @throws TypeError for a value without a conversion, such as another object */
function toParameter(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return `{${value.map(toElement).join(',')}}`;
  throw new TypeError(
    'a parameter of a named statement must be a text, number, boolean, date, bytes, or a list of texts',
  );
}

/** Returns the text of a parameter; an object becomes JSON. */
function toAnyParameter(value: unknown): string | null {
  const isPlain = typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
  return isPlain ? JSON.stringify(value) : toParameter(value);
}

function toElement(value: unknown): string {
  if (Buffer.isBuffer(value)) return `"\\\\x${value.toString('hex')}"`;
  const text = toParameter(value);
  return text === null ? 'NULL' : `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
}
