import { Amount } from '#money';

/** A column of a table: its heading, and its text for a row. */
export type Columns<Row> = Record<string, (row: Row) => string>;

/** Writes the result of a command: a table for people, or JSON for programs. */
export class Terminal {
  constructor(
    private readonly write: (text: string) => void,
    readonly isJson: boolean,
    /** Whether the output is a terminal, where a line can be overwritten. */
    readonly isInteractive: boolean,
  ) {}

  list<Row extends object>(rows: readonly Row[], columns: Columns<Row>): void {
    if (this.isJson) this.value(rows);
    else this.write(table(rows, columns));
  }

  one<Row extends object>(row: Row, columns: Columns<Row>): void {
    if (this.isJson) this.value(row);
    else this.write(table([row], columns));
  }

  /** Writes the complete value as JSON. */
  value(value: object): void {
    const asText = (_key: string, part: unknown): unknown => (part instanceof Amount ? part.toString() : part);
    this.write(`${JSON.stringify(value, asText, 2)}\n`);
  }

  /** Writes a part of a document unchanged. */
  part(text: string): void {
    this.write(text);
  }

  /** Writes one JSON object as one line, for people and for programs. */
  line(value: object): void {
    this.write(`${JSON.stringify(value)}\n`);
  }

  /** Writes one field per line, for people: the facts do not fit into one table row. */
  fields(title: string, facts: Record<string, string>): void {
    this.remark(title);
    const width = Math.max(...Object.keys(facts).map(({ length }) => length));
    for (const [name, fact] of Object.entries(facts)) this.write(`  ${name.padEnd(width)}  ${printable(fact)}\n`);
  }

  /** Writes a line of progress. On a terminal, it overwrites the previous one. */
  passing(text: string): void {
    if (this.isJson) return;
    this.write(this.isInteractive ? `\r${printable(text)}\x1b[K` : `${printable(text)}\n`);
  }

  /** Ends the line that `passing` overwrites, so that later output begins on a new line. */
  endPassing(): void {
    if (this.isInteractive && !this.isJson) this.write('\n');
  }

  /** Writes a remark for people; JSON output has none. */
  remark(text: string): void {
    if (!this.isJson) this.write(`${printable(text)}\n`);
  }
}

export function time(at: Date | null): string {
  return at?.toISOString() ?? '-';
}

function table<Row>(rows: readonly Row[], columns: Columns<Row>): string {
  const cells = [
    Object.keys(columns),
    ...rows.map((row) => Object.values(columns).map((textOf) => printable(textOf(row)))),
  ];
  const widths = Object.keys(columns).map((_, column) => Math.max(...cells.map((line) => line[column]?.length ?? 0)));
  const lines = cells.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return `${lines.join('\n')}\n`;
}

/** Replaces control characters, because text from an exchange may contain commands for the terminal. */
function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, '\ufffd');
}
