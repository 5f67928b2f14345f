const LENGTH_BYTES = 4;
const HEADER_BYTES = 5;
const QUERY = 'Q'.charCodeAt(0);
const PARSE = 'P'.charCodeAt(0);

/**
 * Reads the statements that a client writes to PostgreSQL, from Query and Parse messages, in their order.
 * https://www.postgresql.org/docs/18/protocol-message-formats.html
 */
export class FrontendMessages {
  private rest: Buffer = Buffer.alloc(0);
  /** The first message has no type. */
  private isStarted = false;

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
      if (this.isStarted) statements.push(...statementOf(message));
      this.isStarted = true;
    }
  }
}

function statementOf(message: Buffer): string[] {
  const type = message[0];
  if (type === QUERY) return [textAt(message, HEADER_BYTES)];
  // The name of the prepared statement comes first.
  if (type === PARSE) return [textAt(message, message.indexOf(0, HEADER_BYTES) + 1)];
  return [];
}

function textAt(message: Buffer, start: number): string {
  return message.toString('utf8', start, message.indexOf(0, start));
}
