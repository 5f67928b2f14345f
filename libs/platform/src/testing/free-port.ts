import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Ports below those that operating systems assign to connections and to servers without a port. */
const FIRST = 20_000;
const END = 32_768;
const TRIES_MAX = 100;

/**
 * Returns a TCP port of 127.0.0.1 that was free a moment ago, and that the operating system does not give to another
 * process by itself.
 */
export async function freePort(): Promise<number> {
  for (let tries = 1; ; tries++) {
    const port = randomInt(FIRST, END);
    try {
      const server = createServer().listen(port, '127.0.0.1');
      await once(server, 'listening');
      server.close();
      await once(server, 'close');
      return port;
    } catch (error) {
      if (tries === TRIES_MAX) throw error;
    }
  }
}
