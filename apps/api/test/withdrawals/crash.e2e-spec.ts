import type { Causeway } from '#client';
import { until } from '#platform/testing';
import { acceptsConnections } from '../support/accepts-connections.js';
import { BuiltProcess } from '../support/built-process.js';
import { causewayOf, refusalOf } from '../support/causeway-client.js';
import { TestApp, type TestProjectWithClient, type TestWallet } from '../support/test-app.js';
import { btcQuote, type TransactionBody } from '../support/withdrawal-client.js';

const TIMEOUT_MS = 300_000;

/**
 * Compiled processes share a database and an exchange with the API of the test. The test cannot move the clocks of
 * these processes.
 */
describe('a withdrawal in flight', () => {
  let app: TestApp;
  let project: TestProjectWithClient;
  let wallet: TestWallet;
  let built: BuiltProcess[];

  beforeEach(async () => {
    built = [];
    app = await TestApp.create({
      env: {
        PORT: '0',
        WORKER_PORT: '0',
        METRICS_PORT: '0',
        WORKER_METRICS_PORT: '0',
        EXCHANGE_SUBMIT_TIMEOUT_MS: '4000',
      },
      // On a busy machine, a process needs seconds of its lease to send. After the kill, another process waits until
      // the lease ends.
      overrides: { WITHDRAWAL_LEASE_MS: 8_000 },
    });
    project = await app.project();
    wallet = await app.wallet(project);
  });
  afterEach(async () => {
    for (const { child } of built) child.kill('SIGKILL');
    await Promise.all(built.map((process) => process.exitCode()));
    await app.close();
  });

  const start = async (name: 'api' | 'worker'): Promise<{ process: BuiltProcess; causeway: Causeway }> => {
    const process = BuiltProcess.start(name, app.env);
    built.push(process);
    const there = { baseUrl: await process.address(), walletId: wallet.walletId, repeatsMax: 0 };
    return { process, causeway: causewayOf(app, project, there) };
  };
  const isSubmitted = (): Promise<void> =>
    until('a submission', async () => (await app.sandbox.countCalls(wallet.account, 'Withdraw')) > 0);
  const settled = async (transactionId: string): Promise<TransactionBody> => {
    const read = () => wallet.causeway.getTransaction({ transactionId });
    await until('the withdrawal has ended', async () => (await read()).status !== 'pending');
    return await read();
  };

  const survivesKill = async () => {
    const { id: quoteId } = await btcQuote(wallet);
    await app.sandbox.arm({ endpoint: 'Withdraw', fault: 'hang_after' });
    const first = await start('api');
    const cut = refusalOf(first.causeway.executeQuote({ quoteId }));
    await isSubmitted();
    first.process.child.kill('SIGKILL');
    expect((await cut).code).toBe('CLIENT_NO_RESPONSE');

    await start('worker');
    const second = await start('api');
    const repeated = await second.causeway.executeQuote({ quoteId });
    expect(repeated.success).toBe(true);
    expect((await settled(repeated.result.transactionId)).status).toBe('ok');
    expect(await second.causeway.executeQuote({ quoteId })).toEqual(repeated);
    expect(await app.sandbox.withdrawals(wallet.account)).toHaveLength(1);
    expect(await app.sandbox.countCalls(wallet.account, 'Withdraw')).toBe(1);
  };
  it(
    'is paid once and ends ok when the API is killed before the exchange’s response arrives',
    survivesKill,
    TIMEOUT_MS,
  );

  const finishesOnSignal = async () => {
    const { id: quoteId } = await btcQuote(wallet);
    await app.sandbox.arm({ endpoint: 'Withdraw', fault: 'slow', delayMs: 1_500 });
    const { process, causeway } = await start('api');
    let isAnswered = false;
    const execution = causeway.executeQuote({ quoteId }).finally(() => (isAnswered = true));
    await isSubmitted();
    process.child.kill('SIGTERM');
    // The process must close its port before it finishes its requests, so that the proxy sends new requests to another
    // process.
    const { port } = new URL(await process.address());
    await until('the port is closed', async () => !(await acceptsConnections(Number(port))));
    expect(isAnswered).toBe(false);
    const executed = await execution;
    expect(executed.success).toBe(true);
    expect(await process.exitCode()).toBe(0);
    expect(await wallet.causeway.executeQuote({ quoteId })).toEqual(executed);
  };
  it(
    'is completed and answered by an API that got a stop signal and has closed its port',
    finishesOnSignal,
    TIMEOUT_MS,
  );
});
