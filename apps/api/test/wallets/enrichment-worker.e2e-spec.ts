import { until } from '#platform/testing';
import { esploraTransaction } from '#transaction/testing';
import { ChainStub, esplora, newHash, record, seconds, SENDER, type Facts } from '../support/chain-stub.js';
import { PATIENT, TestApp, type TestProjectWithClient, type TestWallet } from '../support/test-app.js';
import { btcQuote, savedAddress } from '../support/withdrawal-client.js';

describe('the worker queries chains', () => {
  let chain: ChainStub;
  let app: TestApp;
  let project: TestProjectWithClient;
  let wallet: TestWallet;

  beforeAll(async () => {
    chain = await ChainStub.start();
    app = await TestApp.create({
      worker: true,
      env: { ...PATIENT, ...chain.env, ENRICHMENT_TIMEOUT_MS: '30000' },
      overrides: {
        ENRICHMENT_SWEEP_SECONDS: 1,
        ENRICHMENT_ATTEMPTS: 3,
        ENRICHMENT_BACKOFF_SECONDS: 600,
        ENRICHMENT_SEARCH_AFTER_SECONDS: 600,
      },
    });
    project = await app.project();
    wallet = await app.wallet(project, { settle: 'auto' });
  });
  afterAll(async () => {
    await app.close();
    await chain.http.close();
  });

  const given = (facts: Partial<Facts> = {}) => record(app, project, wallet, facts);
  const read = (transactionId: string) => project.causeway.getTransaction({ transactionId });
  const dueOf = async (id: string) => {
    const rows = await app.db.query<{ next: Date | null; count: number }>(
      `select next_enrich_at as next, enrich_count as count from transactions where id = $1`,
      [id],
    );
    return rows[0] ?? { next: null, count: -1 };
  };

  /** Waits until the transaction has a value for `member`, and returns it. */
  const readWith = async (id: string, member: 'hash' | 'confirmedAt') => {
    await until(`${member} of ${id}`, async () => (await read(id))[member] !== null);
    return await read(id);
  };
  const isAttempted = (id: string, attempts: number): Promise<void> =>
    until(`attempt ${attempts}`, async () => (await dueOf(id)).count === attempts);

  it('to confirm a withdrawal, and publishes transaction.updated', async () => {
    // The exchange reports the hash after it has sent the coins.
    const { id: quoteId } = await btcQuote(wallet);
    const { transactionId: id } = (await wallet.causeway.executeQuote({ quoteId })).result;
    const { hash } = await readWith(id, 'hash');
    expect(hash).not.toBeNull();
    const at = app.clock.now();
    const address = savedAddress(wallet, 'BTC', 'Bitcoin');
    chain.knows(esplora(hash ?? '', at, { to: [{ address, value: 1_000_000 }] }));
    app.clock.advance(3_600_000);
    const confirmed = await readWith(id, 'confirmedAt');
    expect(confirmed).toMatchObject({ addressFrom: SENDER, confirmedAt: seconds(at) * 1_000, blockHeight: 933_000 });
    const events = await app.db.query(
      `select 1 from events where type = 'transaction.updated' and subject = $1 and data ->> 'blockHeight' = '933000'`,
      [id],
    );
    expect(events).toHaveLength(1);
  });

  it('with growing pauses, up to the limit of attempts', async () => {
    const { id, hash } = await given();
    chain.http.on(
      `GET /btc/tx/${hash}`,
      (_call, response) => void response.writeHead(404).end('Transaction not found'),
    );
    const pauses: number[] = [];
    for (const attempt of [1, 2]) {
      await isAttempted(id, attempt);
      const { next } = await dueOf(id);
      pauses.push(Math.round(((next?.getTime() ?? 0) - app.clock.now().getTime()) / 60_000));
      app.clock.advance((next?.getTime() ?? 0) - app.clock.now().getTime());
    }
    expect(pauses).toEqual([10, 20]);
    await isAttempted(id, 3);
    expect(await dueOf(id)).toEqual({ count: 3, next: null });
    // The row counts an attempt before its request is sent.
    await until('the third request', () => chain.callsOf(hash) === 3);
  });

  it('again when the exchange reports another hash', async () => {
    const { id, hash } = await given();
    chain.knows(esplora(hash, app.clock.now(), { to: [{ address: SENDER, value: 1 }] }));
    await isAttempted(id, 1);
    const right = newHash();
    chain.knows(esplora(right, app.clock.now()));
    await app.db.query(`update transactions set hash = $2, updated_at = $3 where id = $1`, [
      id,
      right,
      app.clock.now(),
    ]);
    expect(await readWith(id, 'confirmedAt')).toMatchObject({ hash: right });
  });

  it('for a missing hash only after the exchange has had time to report it', async () => {
    const address = 'bc1qxy2kgdygjrsqtzq2n0yrf2493p83kkfjhx0wlh';
    const hash = newHash();
    const at = app.clock.now();
    chain.http.on(`GET /btc/address/${address}/txs`, () => [
      esploraTransaction(esplora(hash, at, { to: [{ address, value: 1_200_000 }] })),
    ]);
    const { id } = await given({ hash: null, addressTo: address, amount: '0.012' });
    const nextOf = async (): Promise<number> => (await dueOf(id)).next?.getTime() ?? 0;
    await until('it is postponed', async () => (await nextOf()) > at.getTime() + 60_000);
    expect(await nextOf()).toBeGreaterThanOrEqual(at.getTime() + 600_000);
    expect(chain.http.callsOf(`GET /btc/address/${address}/txs`)).toEqual([]);
    app.clock.advance(600_000);
    expect(await readWith(id, 'hash')).toMatchObject({ hash, blockHeight: 933_000 });
  });

  it('but not for failed transactions or on unsupported networks', async () => {
    const unsupported = await given({ network: 'tron' });
    const failed = await given({ status: 'failed' });
    await until('it is not due', async () => (await dueOf(failed.id)).next === null);
    expect(await dueOf(failed.id)).toEqual({ next: null, count: 0 });
    const { next, count } = await dueOf(unsupported.id);
    expect([next !== null, count]).toEqual([true, 0]);
  });
});
