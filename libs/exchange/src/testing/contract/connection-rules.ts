import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { ContractBench } from './contract-bench.js';
import type { Subject } from './contract-subjects.js';
import { answering } from './contract-stub.js';
import type { Check, Rule } from './rule.js';
import { sendOnce, submissionsOf } from './submissions.js';

const READS = 6;

/**
 * Reads key information several times, while the exchange ends every connection that it has used once instead of
 * answering its next request.
 */
async function readOverEndingConnections(subject: Subject): Promise<void> {
  const { route, expected } = subject.contract.keyInfo;
  const usual = subject.contract.calls[route]?.answer ?? { status: 404, body: '' };
  await ContractBench.run(subject, async ({ open, stub }) => {
    const session = await open();
    const used = new Set<number>();
    stub.on(route, (call, response) => {
      if (used.has(call.connection)) return void response.socket?.resetAndDestroy();
      used.add(call.connection);
      return answering(usual)(call, response);
    });
    for (let count = 0; count < READS; count++) expect(await session.keyInfo()).toEqual(expected);
    const sent = stub.calls(route).length;
    expect(sent).toBeGreaterThan(READS);
    expect(sent).toBeLessThanOrEqual(2 * READS);
  });
}

/** Reads key information that the exchange compresses, although the request accepts no compression. */
async function readCompressed(subject: Subject, encoding: string, compress: (body: string) => Buffer): Promise<void> {
  const { least } = subject.contract.keyInfo;
  await ContractBench.run(subject, async ({ open, stub }) => {
    stub.on(subject.contract.keyInfo.route, (_call, response) => {
      const headers = { ...least.reply.headers, 'content-encoding': encoding };
      response.writeHead(least.reply.status, headers).end(compress(least.reply.body));
      return undefined;
    });
    expect(await (await open()).keyInfo()).toEqual(least.expected);
  });
}

/** Sends a submission whose acceptance the exchange compresses. */
function submitCompressed(subject: Subject): Check[] {
  return submissionsOf(subject.contract).map((kind) => ({
    name: `${kind.name}: gzip`,
    run: () =>
      ContractBench.run(subject, async ({ open, stub }) => {
        const session = await open();
        const ready = await kind.prepare(session);
        const { route, accepted, exchangeIds } = kind.contract;
        stub.on(route, (_call, response) => {
          const headers = { ...accepted.headers, 'content-encoding': 'gzip' };
          response.writeHead(accepted.status, headers).end(gzipSync(accepted.body));
          return undefined;
        });
        const { outcome } = await sendOnce(ready, session);
        expect(outcome.kind).toBe('accepted');
        expect(JSON.stringify(outcome)).toContain(exchangeIds[0]);
      }),
  }));
}

/** A submission on a connection that the exchange ends is unknown, and no second request is sent. */
function submitOverEndingConnection(subject: Subject): Check[] {
  return submissionsOf(subject.contract).map((kind) => ({
    name: `${kind.name}: a reset`,
    run: () =>
      ContractBench.run(subject, async ({ open, stub }) => {
        const session = await open();
        const ready = await kind.prepare(session);
        stub.forget();
        stub.on(kind.contract.route, (_call, response) => {
          response.socket?.resetAndDestroy();
          return undefined;
        });
        expect((await sendOnce(ready, session)).outcome).toMatchObject({ kind: 'unknown' });
        expect(stub.calls(kind.contract.route)).toHaveLength(1);
      }),
  }));
}

const connections: Rule = {
  id: 'EX-64',
  title:
    'a read is repeated once when a reused connection ended before the response, a submission never; compressed responses are decoded',
  checks: (subject) => [
    { name: 'reads over ending connections', run: () => readOverEndingConnections(subject) },
    ...submitOverEndingConnection(subject),
    { name: 'gzip', run: () => readCompressed(subject, 'gzip', gzipSync) },
    { name: 'deflate', run: () => readCompressed(subject, 'deflate', deflateSync) },
    { name: 'br', run: () => readCompressed(subject, 'br', brotliCompressSync) },
    ...submitCompressed(subject),
  ],
};

export const connectionRules: readonly Rule[] = [connections];
