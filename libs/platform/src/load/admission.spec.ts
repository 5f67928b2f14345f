import { get } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fastify as createFastify } from 'fastify';
import { admitRequests } from './admission.js';

/** The limits of the class `money`: the maximum numbers of active and of waiting requests. */
const SERVED = 128;
const WAITING = 512;
/** The limit of the class `ordinary`: the maximum number of active requests. */
const ORDINARY_SERVED = 16;
/** The number of connections that request a list at the same time. */
const LISTS = 60;

describe('admission', () => {
  it('refuses a request beyond its limits at once, and counts the refusal by class', async () => {
    const fastify = createFastify();
    const refused: string[] = [];
    let requests = 0;
    admitRequests(fastify, {
      isExempt: () => false,
      callerOf: () => `key ${(requests += 1)}`,
      onRefused: (loadClass) => refused.push(loadClass),
    });
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    fastify.get('/orders', { config: { loadClass: 'money' } }, async () => {
      await released;
      return 'served';
    });
    let asked = 0;
    fastify.server.prependListener('request', () => (asked += 1));
    const address = await fastify.listen({ port: 0, host: '127.0.0.1' });
    // `inject` sends the request when its promise is awaited.
    const statusOf = (): Promise<number> => fastify.inject('/orders').then(({ statusCode }) => statusCode);
    const accepted = Array.from({ length: SERVED + WAITING }, () => statusOf());
    expect(await statusOf()).toBe(503);
    expect(refused).toEqual(['money']);
    // A refused request never reaches Fastify. It reaches the listeners before Fastify's, such as the limits of
    // connections.
    expect((await fetch(`${address}/orders`)).status).toBe(503);
    expect(asked).toBe(1);
    release();
    expect(new Set(await Promise.all(accepted))).toEqual(new Set([200]));
    await fastify.close();
  });

  it('admits requests with an API key while requests without one take as many places as they may have', async () => {
    const fastify = createFastify();
    admitRequests(fastify, {
      isExempt: () => false,
      callerOf: ({ headers }) => (typeof headers.key === 'string' ? headers.key : null),
      onRefused: () => undefined,
    });
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    fastify.get('/page', async () => {
      await released;
      return 'served';
    });
    fastify.get('/wallet', () => Promise.resolve('served'));
    const keyless = Array.from({ length: ORDINARY_SERVED }, () => fastify.inject('/page').then((answer) => answer));
    const withKey = await fastify.inject({ url: '/wallet', headers: { key: 'of a tenant' } });
    expect(withKey.statusCode).toBe(200);
    release();
    await Promise.all(keyless);
    await fastify.close();
  });

  it('begins requests for lists only after the server has accepted the waiting connections', async () => {
    const fastify = createFastify();
    admitRequests(fastify, {
      isExempt: () => false,
      callerOf: () => 'one',
      onRefused: () => undefined,
    });
    let begun = 0;
    fastify.get('/list', { config: { loadClass: 'list' } }, async () => {
      begun += 1;
      // The server accepts one connection in each turn of the event loop, so a list takes the time of four connections.
      for (let turn = 0; turn < 4; turn++) await nextTurn();
      return 'served';
    });
    fastify.get('/status', () => Promise.resolve(String(begun)));
    const address = await fastify.listen({ port: 0, host: '127.0.0.1' });
    const bodyOf = (path: string): Promise<string> =>
      new Promise((resolve, reject) => {
        get(`${address}${path}`, { agent: false }, (response) => {
          let body = '';
          response.on('data', (part: Buffer) => (body += part.toString()));
          response.on('end', () => resolve(body));
        }).on('error', reject);
      });
    // All connections wait for acceptance, because the event loop of this process has not turned yet.
    const lists = Array.from({ length: LISTS }, () => bodyOf('/list'));
    expect(Number(await bodyOf('/status'))).toBeLessThan(LISTS / 4);
    await Promise.all(lists);
    await fastify.close();
  });
});
