import { fastify as createFastify } from 'fastify';
import { admitRequests } from './admission.js';

/** As many public reads as one process serves at a time, and as many as wait. */
const SERVED = 16;
const WAITING = 256;

describe('admission', () => {
  it('refuses at once what neither is served nor may wait, and counts it by its class', async () => {
    const fastify = createFastify();
    const refused: string[] = [];
    admitRequests(fastify, {
      isExempt: () => false,
      isProbe: () => false,
      requestIdOf: () => 'one',
      callerOf: () => null,
      onRefused: (loadClass) => refused.push(loadClass),
    });
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    fastify.get('/prices', { config: { loadClass: 'public' } }, async () => {
      await released;
      return 'served';
    });
    let asked = 0;
    fastify.server.prependListener('request', () => (asked += 1));
    const address = await fastify.listen({ port: 0, host: '127.0.0.1' });
    // It is sent when somebody waits for it.
    const statusOf = (): Promise<number> => fastify.inject('/prices').then(({ statusCode }) => statusCode);
    const accepted = Array.from({ length: SERVED + WAITING }, () => statusOf());
    expect(await statusOf()).toBe(503);
    expect(refused).toEqual(['public']);
    // Refused before the framework sees it, and counted all the same by who bounds the connections.
    expect((await fetch(`${address}/prices`)).status).toBe(503);
    expect(asked).toBe(1);
    release();
    expect(new Set(await Promise.all(accepted))).toEqual(new Set([200]));
    await fastify.close();
  });
});
