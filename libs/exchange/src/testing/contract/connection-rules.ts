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

/** The documented route of a request: its own, or one with a name in braces for a part of it. */
function documentedRoute({ calls }: Subject['contract'], route: string): string {
  const parts = route.split('/');
  const isOf = (own: readonly string[]): boolean =>
    own.length === parts.length && own.every((part, index) => part.startsWith('{') || part === parts[index]);
  return Object.keys(calls).find((each) => isOf(each.split('/'))) ?? route;
}

/** Creates an address twice. The second time, the exchange ends the connection at the last request. */
async function createOverEndingConnection(subject: Subject): Promise<void> {
  const { contract } = subject;
  await ContractBench.run(subject, async ({ open, stub }) => {
    const { deposits } = await open();
    const methods = (await deposits?.methods(contract.deposits?.asset ?? '')) ?? [];
    const method = methods.find(({ exchangeMethodId }) => exchangeMethodId === contract.deposits?.method);
    if (deposits?.create === undefined || method === undefined) throw new Error('the session creates no addresses');
    // The documented response may have no new address.
    const create = async (): Promise<unknown> => deposits.create?.(method).catch((error: unknown) => error);
    const used = new Set(stub.calls().map(({ connection }) => connection));
    stub.forget();
    await create();
    const [count, last] = [stub.calls().length, stub.calls().at(-1)];
    for (const { connection } of stub.calls()) used.add(connection);
    const route = documentedRoute(contract, last?.route ?? '');
    const usual = contract.calls[route]?.answer ?? { status: 404, body: '' };
    stub.forget();
    stub.on(route, (call, response) => {
      if (stub.calls().length < count) return answering(usual)(call, response);
      expect([...used]).toContain(call.connection);
      return void response.socket?.resetAndDestroy();
    });
    expect(await create()).toMatchObject({ name: 'ExchangeError', kind: 'unavailable' });
    expect(stub.calls()).toHaveLength(count);
  });
}

const creation: Rule = {
  id: 'EX-77',
  title: 'a deposit address is requested once, also when the exchange ends the reused connection instead of answering',
  needs: ['deposits'],
  checks: (subject) => [
    {
      name: 'the request that creates an address is not repeated',
      run: async () => {
        let isOffered = false;
        await ContractBench.run(subject, async ({ open }) => {
          isOffered = (await open()).deposits?.create !== undefined;
        });
        if (isOffered) await createOverEndingConnection(subject);
      },
    },
  ],
};

export const connectionRules: readonly Rule[] = [connections, creation];
