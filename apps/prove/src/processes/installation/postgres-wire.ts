const LENGTH_BYTES = 4;
const HEADER_BYTES = 5;
const QUERY = 'Q'.charCodeAt(0);
const PARSE = 'P'.charCodeAt(0);
const BIND = 'B'.charCodeAt(0);

/**
 * Reads the statements that a client runs, in their order. A Query message contains a statement. A Bind message runs a
 * statement that a Parse message has prepared.
 * https://www.postgresql.org/docs/18/protocol-message-formats.html
 */
export class FrontendMessages {
  private rest: Buffer = Buffer.alloc(0);
  /** Whether the first message has been read. It is the only one without a type. */
  private isStarted = false;
  /** The texts of the prepared statements, by name. The empty name stands for the last unnamed statement. */
  private readonly prepared = new Map<string, string>();

  read(bytes: Buffer): string[] {
    this.rest = Buffer.concat([this.rest, bytes]);
    const statements: string[] = [];
    for (;;) {
      const typeBytes = this.isStarted ? 1 : 0;
      if (this.rest.length < typeBytes + LENGTH_BYTES) return statements;
      const length = typeBytes + this.rest.readInt32BE(typeBytes);
      if (this.rest.length < length) return statements;
      const message = this.rest.subarray(0, length);
      this.rest = this.rest.subarray(length);
      if (this.isStarted) statements.push(...this.statementOf(message));
      this.isStarted = true;
    }
  }

  private statementOf(message: Buffer): string[] {
    const type = message[0];
    const first = textAt(message, HEADER_BYTES);
    if (type === QUERY) return [first];
    const second = (): string => textAt(message, message.indexOf(0, HEADER_BYTES) + 1);
    // Parse names the statement before its text, and Bind names the portal before the statement.
    if (type === PARSE) this.prepared.set(first, second());
    return type === BIND ? [this.prepared.get(second()) ?? ''] : [];
  }
}

function textAt(message: Buffer, start: number): string {
  return message.toString('utf8', start, message.indexOf(0, start));
}
