import { randomUUID } from 'node:crypto';
import { until } from '#platform/testing';
import { BuiltProcess } from '../support/built-process.js';
import { HttpClient } from '../support/http-client.js';
import { EventsListening, SocketListening } from '../support/listen-client.js';
import { ADMIN_TOKEN, PATIENT, TestApp, type TestProjectWithClient, type TestWallet } from '../support/test-app.js';
import { btcQuote } from '../support/withdrawal-client.js';

const TIMEOUT_MS = 300_000;
const PERIOD_MS = 900_000;
const BALANCES = 'BalanceEx';

/** Two API processes and one worker share one database. */
describe('a project that an operator stops', () => {
  let app: TestApp;
  let other: BuiltProcess;
  let elsewhere: HttpClient;
  let project: TestProjectWithClient;

  beforeAll(async () => {
    app = await TestApp.create({
      worker: true,
      env: { ...PATIENT, PORT: '0', METRICS_PORT: '0', WALLET_SYNC_SECONDS: String(PERIOD_MS / 1_000) },
      overrides: { WALLET_SYNC_SWEEP_MS: 50 },
    });
    other = BuiltProcess.start('api', app.env);
    elsewhere = new HttpClient(await other.address(), app.answers);
  }, TIMEOUT_MS);
  beforeEach(async () => {
    project = await app.project();
  });
  afterAll(async () => {
    other.child.kill('SIGTERM');
    await other.exitCode();
    await app.close();
  });

  const admin = () => app.http.with({ authorization: `Bearer ${ADMIN_TOKEN}` });
  const path = (): string => `/v0/admin/projects/${project.projectId}`;
  const suspend = () => admin().put(`${path()}/suspension`, {});
  const resume = () => admin().delete(`${path()}/suspension`);
  const remove = () => admin().delete(path());
  const statusElsewhere = async (): Promise<number> =>
    (await elsewhere.with(project.headers).get('/v0/wallet/list')).status;
  const actions = async (): Promise<string[]> => {
    const rows = await app.db.query<{ action: string }>(
      `select action from audit_entries where project_id = $1 and action like 'project.%' order by sequence`,
      [project.projectId],
    );
    return rows.map(({ action }) => action);
  };
  const states = async ({ walletId }: TestWallet): Promise<string[]> => {
    const rows = await app.db.query<{ state: string }>(
      `select x.state from withdrawals x join wallets w on w.id = x.wallet_id
        where w.project_id = $1 and w.external_id = $2`,
      [project.projectId, walletId],
    );
    return rows.map(({ state }) => state);
  };
  /** An executed withdrawal that the exchange has accepted and not settled. */
  const openWithdrawal = async (): Promise<{ wallet: TestWallet; refid: string }> => {
    const wallet = await app.wallet(project, { settle: 'manual' });
    const { id } = await btcQuote(wallet);
    await wallet.causeway.executeQuote({ quoteId: id });
    const [booked] = await app.sandbox.withdrawals(wallet.account);
    return { wallet, refid: booked?.refid ?? '' };
  };
  const settles = (wallet: TestWallet, refid: string): Promise<void> =>
    app.sandbox.settle(refid, 'Success').then(() =>
      until('the withdrawal is settled', async () => {
        app.clock.advance(5_000);
        return (await states(wallet)).join() === 'completed';
      }),
    );
  /** Lets several periods of the refresh pass, until the worker has refreshed a wallet of another project. */
  const periodsPass = async (witness: TestWallet): Promise<void> => {
    const before = await app.sandbox.countCalls(witness.account, BALANCES);
    await until('the worker has refreshed other wallets', async () => {
      app.clock.advance(PERIOD_MS * 1.1);
      return (await app.sandbox.countCalls(witness.account, BALANCES)) >= before + 2;
    });
  };

  it('is refused by every process within a second when it is suspended, and served again when it is resumed', async () => {
    expect(await statusElsewhere()).toBe(200);
    const suspended = await suspend();
    expect(suspended).toMatchObject({ status: 200, body: { id: project.projectId, deletedAt: null } });
    await until('the other process refuses', async () => (await statusElsewhere()) === 403, 1_000);
    const refusal = { status: 403, body: { type: 'GENERIC_INVALID_REQUEST', result: { reason: 'suspended' } } };
    expect(await project.http.get('/v0/wallet/list')).toMatchObject(refusal);
    expect((await suspend()).body).toEqual(suspended.body);
    const stranger = { ...project.headers, 'x-svc-org-id': randomUUID() };
    expect((await app.http.with(stranger).get('/v0/wallet/list')).status).toBe(401);

    expect(await resume()).toMatchObject({ status: 200, body: { suspendedAt: null } });
    await until('the other process serves', async () => (await statusElsewhere()) === 200, 1_000);
    await resume();
    expect(await actions()).toEqual(['project.created', 'project.suspended', 'project.resumed']);
  });

  it('has no open listeners, polls and connect pages while it is suspended', async () => {
    const idem = randomUUID();
    const { url } = await project.causeway.connect.link({ idem, walletId: 'w', exchange: 'kraken' });
    const query = `idem=${idem}&orgId=${project.organizationId}`;
    const socket = await SocketListening.to(`${app.url}/v0/ws/oauth2/listen?${query}`);
    const stream = await EventsListening.to(`${await other.address()}/v0/oauth2/events?${query}`);
    const page = new URL(url).pathname;
    expect((await fetch(app.url + page)).status).toBe(200);

    await suspend();
    await Promise.all([socket.over(), stream.over()]);
    expect(socket.code).toBe(1013);
    const late = await SocketListening.to(`${app.url}/v0/ws/oauth2/listen?${query}`);
    await late.over();
    expect((await app.http.get(`/v0/oauth2/status?${query}`)).status).toBe(404);
    expect((await fetch(app.url + page)).status).toBe(404);

    await resume();
    expect((await fetch(app.url + page)).status).toBe(200);
  });

  it(
    'has no calls to the exchange while it is suspended, except those that settle its open withdrawals',
    async () => {
      const witness = await app.wallet(await app.project());
      const idle = await app.wallet(project);
      const { wallet, refid } = await openWithdrawal();
      await suspend();
      const before = [
        await app.sandbox.countCalls(idle.account),
        await app.sandbox.countCalls(wallet.account, BALANCES),
      ];
      await periodsPass(witness);
      const after = [
        await app.sandbox.countCalls(idle.account),
        await app.sandbox.countCalls(wallet.account, BALANCES),
      ];
      expect(after).toEqual(before);
      await settles(wallet, refid);
      expect(
        await app.db.query(`select type from events where project_id = $1 and type = 'withdrawal.completed'`, [
          project.projectId,
        ]),
      ).toHaveLength(1);

      await resume();
      await until('refreshed again', async () => {
        app.clock.advance(PERIOD_MS * 1.1);
        return (await app.sandbox.countCalls(idle.account)) > (before[0] ?? 0);
      });
    },
    TIMEOUT_MS,
  );

  it(
    'loses its keys and wallets when it is deleted, but not the credentials of an open withdrawal before its end',
    async () => {
      const idle = await app.wallet(project);
      const { wallet, refid } = await openWithdrawal();
      expect(await statusElsewhere()).toBe(200);
      expect(await remove()).toMatchObject({ status: 200, body: { id: project.projectId } });
      await until('the other process refuses', async () => (await statusElsewhere()) === 401, 1_000);
      expect(await project.http.get('/v0/wallet/list')).toMatchObject({ status: 401 });
      const sealed = async (): Promise<string[]> => {
        const rows = await app.db.query<{ name: string }>(
          `select w.external_id as name from wallet_credentials c join wallets w on w.id = c.wallet_id
            where w.project_id = $1`,
          [project.projectId],
        );
        return rows.map(({ name }) => name);
      };
      await until('the idle wallet is erased', async () => !(await sealed()).includes(idle.walletId), TIMEOUT_MS / 2);
      expect(await sealed()).toEqual([wallet.walletId]);
      await settles(wallet, refid);
      await until('the kept credentials are erased', async () => (await sealed()).length === 0, TIMEOUT_MS / 2);
      await remove();
      expect(await actions()).toEqual(['project.created', 'project.deleted']);
      expect((await suspend()).status).toBe(404);
    },
    TIMEOUT_MS,
  );
});
