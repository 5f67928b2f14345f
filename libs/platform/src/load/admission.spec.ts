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
    await fastify.ready();
    // It is sent when somebody waits for it.
    const statusOf = (): Promise<number> => fastify.inject('/prices').then(({ statusCode }) => statusCode);
    const accepted = Array.from({ length: SERVED + WAITING }, () => statusOf());
    expect(await statusOf()).toBe(503);
    expect(refused).toEqual(['public']);
    release();
    expect(new Set(await Promise.all(accepted))).toEqual(new Set([200]));
    await fastify.close();
  });
});
