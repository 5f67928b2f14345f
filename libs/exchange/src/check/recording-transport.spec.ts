import { Clock } from '#platform/clock';
import type { ExchangeSession } from '../port/exchange.port.js';
import { exchanges } from '../registry/exchanges.js';
import { MemoryNonces } from '../nonces/memory-nonces.js';
import { openOver } from '../testing/contract/collect-forms.js';
import { ContractStub } from '../testing/contract/contract-stub.js';
import { contractSubjects } from '../testing/contract/contract-subjects.js';
import { StubExchange } from '../testing/stub-exchange.js';
import { loadReadingCalls } from './documented-forms.js';
import { NotAReadingCall, RecordingTransport } from './recording-transport.js';

const LIMITS = { connectTimeoutMs: 5_000, responseMaxBytes: 1_000_000 };
const real = await contractSubjects(Object.values(exchanges).filter(({ spec }) => !spec.sandboxOnly));
/** Words of the routes that a check must never call. */
const CHANGES =
  /withdraw\/apply|withdraw\/create|Withdraw$|AddOrder|Cancel|transfer$|POST .*(order$|orders$|place-order|newAddress|deposit-address\/create|wallet\/withdrawal|asset\/withdrawal)/;

describe.each(real.map((subject) => [subject.name, subject] as const))(
  'the transport of a check of %s',
  (_name, subject) => {
    let stub: ContractStub;
    let transport: RecordingTransport;
    let session: ExchangeSession;

    beforeEach(async () => {
      const { id } = subject.declaration.spec;
      stub = await ContractStub.start(subject.contract);
      transport = new RecordingTransport(LIMITS, await loadReadingCalls(id), Date.now);
      const clock = new Clock();
      session = await openOver(subject, { transport, url: stub.url, clock, nonces: new MemoryNonces(clock) });
    });
    afterEach(async () => {
      await transport.close();
      await stub.close();
    });

    it('sends no withdrawal', async () => {
      const { withdrawals } = subject.contract;
      if (withdrawals === undefined) return expect(session.withdrawals).toBeUndefined();
      const prepared = await session.withdrawals?.prepare(withdrawals.instruction);
      if (prepared === undefined) throw new Error('the session has no withdrawals');
      const outcome = await session.withdrawals?.submit(prepared, { beforeSend: () => undefined });
      expect(outcome?.kind).not.toBe('accepted');
      expect(stub.calls(withdrawals.route)).toEqual([]);
      expect(transport.refused).toHaveLength(1);
    });

    it('sends no order', async () => {
      const { orders } = subject.contract;
      if (orders === undefined) return expect(session.trading).toBeUndefined();
      const { trading } = session;
      const clientOrderId = trading?.newClientOrderId() ?? '';
      const submissionDeadline = new Date(Date.now() + 60_000);
      const prepared = trading?.prepare({ ...orders.instruction, clientOrderId, submissionDeadline });
      if (prepared !== undefined) await trading?.place(prepared, { beforeSend: () => undefined });
      expect(stub.calls(orders.route)).toEqual([]);
      expect(transport.refused).toHaveLength(1);
    });

    it('creates no deposit address', async () => {
      const { deposits } = session;
      const [method] = (await deposits?.methods(subject.contract.deposits?.asset ?? '')) ?? [];
      if (deposits?.create === undefined || method === undefined)
        return expect(deposits ?? {}).not.toHaveProperty('create', expect.any(Function));
      await expect(deposits.create(method)).rejects.toMatchObject({ kind: 'unavailable' });
      expect(transport.refused).toHaveLength(1);
    });

    it('knows no route that changes anything at the exchange', async () => {
      const { calls } = await loadReadingCalls(subject.declaration.spec.id);
      expect(Object.keys(calls).filter((route) => CHANGES.test(route))).toEqual([]);
    });
  },
);

describe('the transport of a check', () => {
  it.each([
    ['another route', 'POST', '/0/private/WithdrawCancel', ''],
    ['another method of a reading route', 'DELETE', '/0/private/BalanceEx', ''],
    ['a parameter that creates an address', 'POST', '/0/private/DepositAddresses', 'asset=XBT&method=Bitcoin&new=true'],
    ['the same parameter in the query', 'POST', '/0/private/DepositAddresses?new=true', 'asset=XBT&method=Bitcoin'],
  ])('refuses %s before anything is sent', async (_case, method, path, body) => {
    const stub = await StubExchange.start();
    const transport = new RecordingTransport(LIMITS, await loadReadingCalls('kraken'), Date.now);
    try {
      const request = { method, url: stub.url + path, headers: {}, body };
      await expect(transport.send(request, { timeoutMs: 1_000 })).rejects.toThrow(NotAReadingCall);
      expect([stub.connections, transport.refused.length]).toEqual([0, 1]);
    } finally {
      await transport.close();
      await stub.close();
    }
  });
});
