/** A column of a table: its heading, and its text for a row. */
export type Columns<Row> = Record<string, (row: Row) => string>;

/** Where a command writes its result: a table for people, or JSON for programs. */
export class Terminal {
  constructor(
    private readonly write: (text: string) => void,
    private readonly json: boolean,
  ) {}

  list<Row extends object>(rows: readonly Row[], columns: Columns<Row>): void {
    this.write(this.json ? toJson(rows) : table(rows, columns));
  }

  one<Row extends object>(row: Row, columns: Columns<Row>): void {
    this.write(this.json ? toJson(row) : table([row], columns));
  }

  /** For people only: a program that reads JSON wants nothing else. */
  remark(text: string): void {
    if (!this.json) this.write(`${text}\n`);
  }
}

export function time(at: Date | null): string {
  return at?.toISOString() ?? '-';
}

function toJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function table<Row>(rows: readonly Row[], columns: Columns<Row>): string {
  const cells = [Object.keys(columns), ...rows.map((row) => Object.values(columns).map((textOf) => textOf(row)))];
  const widths = Object.keys(columns).map((_, column) => Math.max(...cells.map((line) => line[column]?.length ?? 0)));
  const lines = cells.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return `${lines.join('\n')}\n`;
}
