import type { IncomingMessage } from 'node:http';
import Fastify from 'fastify';
import { addressReader } from './forwarded-address.js';

const SOCKET = '10.0.0.1';
const HEADERS = [
  undefined,
  '192.0.2.7',
  ' 192.0.2.7 ',
  '6.6.6.6, 192.0.2.7',
  '6.6.6.6,192.0.2.7',
  '6.6.6.6, 7.7.7.7, 192.0.2.7',
  '6.6.6.6, , 192.0.2.7',
  ', 192.0.2.7,',
  ',',
  '',
  '2001:db8::1, ::ffff:192.0.2.7',
];

describe('the address of a client', () => {
  it.each([
    [false, 1],
    [true, 1],
    [true, 2],
    [true, 3],
  ])('equals Fastify’s `request.ip` (TRUST_PROXY %s, %s hops)', async (isTrusted, hops) => {
    const read = addressReader({ TRUST_PROXY: isTrusted, TRUST_PROXY_HOPS: hops });
    const fastify = Fastify({ trustProxy: isTrusted && ((_address: string, hop: number) => hop < hops) });
    fastify.get('/', ({ ip }) => ip);
    const request = { socket: { remoteAddress: SOCKET } } as IncomingMessage;
    for (const header of HEADERS) {
      const headers = header === undefined ? {} : { 'x-forwarded-for': header };
      const { body } = await fastify.inject({ url: '/', headers, remoteAddress: SOCKET });
      expect([header, read(request, header)]).toEqual([header, body]);
    }
    await fastify.close();
  });
});
