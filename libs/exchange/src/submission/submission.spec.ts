import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { Clock } from '#platform/clock';
import { Metrics } from '#platform/metrics';
import { until } from '#platform/testing';
import { CallMeter } from '../transport/call-meter.js';
import { CallQueue } from '../transport/call-queue.js';
import { NO_CODES } from '../transport/error-map.js';
import { PauseBook } from '../transport/pauses.js';
import { Transport } from '../transport/transport.js';
import { submitOnce, type SubmissionParts } from './submission.js';
import { asWithdrawal } from './withdrawal-outcome.js';

const OPERATION = 'POST /withdraw';

describe('the nonce of a submission', () => {
  let server: Server;
  let transport: Transport;
  let url: string;
  let parts: SubmissionParts;
  let released: number;

  beforeEach(async () => {
    server = createServer((request, response) => request.resume().on('end', () => response.end('{}')));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    transport = new Transport({ connectTimeoutMs: 5_000, responseMaxBytes: 1_000 });
    const clock = new Clock();
    const pauses = new PauseBook(clock).of({ site: { exchange: 'kraken', origin: url }, credentialId: 'one' });
    parts = {
      exchange: 'kraken',
      transport,
      errors: NO_CODES,
      limits: [],
      timeoutMs: 5_000,
      submitTimeoutMs: 5_000,
      queue: new CallQueue(clock, [], { waitingMax: 1, waitMaxMs: 5_000 }, pauses),
      meter: new CallMeter(new Metrics(), pino({ level: 'silent' })),
    };
    released = 0;
  });
  afterEach(async () => {
    await transport.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const submit = (until: Promise<void>, rest: Partial<SubmissionParts> = {}) => {
    const sign = async () => {
      await until;
      const request = { method: 'POST', url: `${url}/withdraw`, headers: {} };
      return { request, release: () => Promise.resolve(void released++) };
    };
    const acceptance = { statuses: [200], readId: () => 'X1' };
    const call = { operation: OPERATION, address: url, sign };
    return submitOnce({ ...parts, ...rest }, call, asWithdrawal(acceptance), { beforeSend: () => undefined });
  };

  it('is released once when the exchange has responded', async () => {
    expect(await submit(Promise.resolve())).toMatchObject({ kind: 'accepted' });
    expect(released).toBe(1);
  });

  it('is released when the request is signed only after its time is over', async () => {
    let sign = (): void => undefined;
    const signing = new Promise<void>((resolve) => (sign = resolve));
    expect(await submit(signing, { timeoutMs: 20 })).toMatchObject({ kind: 'not_sent', reason: 'timeout' });
    expect(released).toBe(0);
    sign();
    await until('the nonce is released', () => Promise.resolve(released === 1));
  });
});
