import { Socket } from 'node:net';

/** The side of a connection that belongs to the simulated network. */
export interface FarEnd {
  written: (bytes: Buffer) => void;
  /** Called when either side has destroyed the connection. */
  closed: () => void;
}

/** A connection without a network: the client's bytes go to a `FarEnd`, which responds with `receive`. */
export class SimulatedSocket extends Socket {
  constructor(private readonly farEnd: FarEnd) {
    super();
  }

  /** Bytes from the exchange. */
  receive(text: string): void {
    if (!this.destroyed && !this.readableEnded) this.push(Buffer.from(text));
  }

  /** The exchange ends its side. */
  receiveEnd(): void {
    if (!this.destroyed) this.push(null);
  }

  /** The network ends the connection with an error. */
  fail(code: string): void {
    this.destroy(Object.assign(new Error(`the network failed with ${code}`), { code }));
  }

  override ref(): this {
    return this;
  }

  override unref(): this {
    return this;
  }

  override _read(): void {
    // Nothing to do: `receive` pushes the bytes when they arrive.
  }

  // Node passes texts to a socket without converting them to bytes, so `chunk` may be a text.
  override _write(chunk: string | Buffer, encoding: BufferEncoding, done: () => void): void {
    this.farEnd.written(bytesOf(chunk, encoding));
    done();
  }

  override _writev(chunks: { chunk: string | Buffer; encoding: BufferEncoding }[], done: () => void): void {
    this.farEnd.written(Buffer.concat(chunks.map(({ chunk, encoding }) => bytesOf(chunk, encoding))));
    done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.farEnd.closed();
    super._destroy(error, done);
  }
}

function bytesOf(chunk: string | Buffer, encoding: BufferEncoding): Buffer {
  return typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk;
}
