import { until } from '#platform/testing';
import { acceptsConnections } from '../support/accepts-connections.js';
import { BuiltProcess } from '../support/built-process.js';
import { TestApp, type TestWallet } from '../support/test-app.js';
import { btcQuote, execute, transaction, type TransactionBody } from '../support/withdrawal-client.js';

const TIMEOUT_MS = 120_000;

/** Compiled processes share a database and an exchange with the API of the test, in real time. */
describe('a withdrawal in flight', () => {
  let app: TestApp;
  let wallet: TestWallet;
  let built: BuiltProcess[];

  beforeEach(async () => {
    built = [];
    app = await TestApp.create({
      env: { PORT: '0', WORKER_PORT: '0', EXCHANGE_SUBMIT_TIMEOUT_MS: '2000' },
      overrides: { WITHDRAWAL_LEASE_MS: 2_500 },
    });
    wallet = await app.wallet(await app.project());
  });
  afterEach(async () => {
    for (const { child } of built) child.kill('SIGKILL');
    await Promise.all(built.map((process) => process.exitCode()));
    await app.close();
  });

  const start = async (name: 'api' | 'worker'): Promise<{ process: BuiltProcess; wallet: TestWallet }> => {
    const process = BuiltProcess.start(name, app.env);
    built.push(process);
    return { process, wallet: { ...wallet, http: wallet.http.at(await process.address()) } };
  };
  const isSubmitted = (): Promise<void> =>
    until('a submission', async () => (await app.sandbox.countCalls(wallet.account, 'Withdraw')) > 0);
  const settled = async (id: string): Promise<TransactionBody> => {
    await until('the withdrawal has ended', async () => (await transaction(wallet, id)).body.status !== 'pending');
    return (await transaction(wallet, id)).body;
  };

  const survivesKill = async () => {
    const { id } = await btcQuote(wallet);
    await app.sandbox.arm({ endpoint: 'Withdraw', fault: 'hang_after' });
    const first = await start('api');
    const cut = expect(execute(first.wallet, id)).rejects.toThrow(/socket hang up|ECONNRESET/);
    await isSubmitted();
    first.process.child.kill('SIGKILL');
    await cut;

    await start('worker');
    const second = await start('api');
    const { status, body } = await execute(second.wallet, id);
    expect([status, body.success]).toEqual([200, true]);
    expect((await settled(body.result.transactionId)).status).toBe('ok');
    expect((await execute(second.wallet, id)).body).toEqual(body);
    expect(await app.sandbox.withdrawals(wallet.account)).toHaveLength(1);
    expect(await app.sandbox.countCalls(wallet.account, 'Withdraw')).toBe(1);
  };
  it('is paid once and ends ok when the API is killed during the exchange’s response', survivesKill, TIMEOUT_MS);

  const finishesOnSignal = async () => {
    const { id } = await btcQuote(wallet);
    await app.sandbox.arm({ endpoint: 'Withdraw', fault: 'slow', delayMs: 1_500 });
    const { process, wallet: there } = await start('api');
    let isAnswered = false;
    const execution = execute(there, id).finally(() => (isAnswered = true));
    await isSubmitted();
    process.child.kill('SIGTERM');
    // The port must be closed first, so that the proxy sends new requests to another process.
    const { port } = new URL(await process.address());
    await until('the port is closed', async () => !(await acceptsConnections(Number(port))));
    expect(isAnswered).toBe(false);
    const { status, body } = await execution;
    expect([status, body.success]).toEqual([200, true]);
    expect(await process.exitCode()).toBe(0);
    expect((await execute(wallet, id)).body).toEqual(body);
  };
  it('is completed and answered by an API that was told to stop and has closed its port', finishesOnSignal, TIMEOUT_MS);
});
