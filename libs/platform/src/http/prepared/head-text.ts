import { IncomingMessage, ServerResponse, STATUS_CODES, type Server } from 'node:http';
import { Socket } from 'node:net';

/** Node's own member for the head of a response that it has not written yet. */
interface WithHead {
  _header: string | null;
}

/** This release of Node does not keep the head of a response in `_header`. */
class HeadNotFound extends Error {
  constructor() {
    super(`Node ${process.version} has no ServerResponse._header, and prepared responses need it`);
  }
}

/**
 * Sets the head of a response as one text. `writeHead` checks and joins each header again for each response, which
 * takes more CPU time than all other work of a prepared route. Like Node's head, it ends with date and connection.
 */
export class HeadText {
  private readonly connection: string;
  private dated = 0;
  private date = '';

  /** @throws HeadNotFound */
  constructor({ keepAliveTimeout }: Server) {
    const response = new ServerResponse(new IncomingMessage(new Socket()));
    if ((response as object as WithHead)._header !== null) throw new HeadNotFound();
    this.connection = `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(keepAliveTimeout / 1_000)}\r\n\r\n`;
  }

  /**
   * Sets the head of a response, after which the connection stays open. @param lines header lines, each with its line
   * break
   */
  set(response: ServerResponse, status: number, lines: string): void {
    response.statusCode = status;
    const start = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`;
    (response as object as WithHead)._header = `${start}${lines}${this.dateLine()}${this.connection}`;
  }

  /** Returns the header `date`. A text is kept for one second, the unit of that header. */
  private dateLine(): string {
    const now = Date.now();
    const second = now - (now % 1_000);
    if (second !== this.dated) {
      this.dated = second;
      this.date = `Date: ${new Date(second).toUTCString()}\r\n`;
    }
    return this.date;
  }
}
