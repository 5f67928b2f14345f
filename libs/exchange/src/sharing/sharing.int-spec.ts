import { Test, type TestingModule } from '@nestjs/testing';
import pg from 'pg';
import { pino } from 'pino';
import { PlatformModule } from '#platform/app';
import { Database } from '#platform/database';
import { createTestDatabase, testConfig, until, type TestDatabase } from '#platform/testing';
import { FollowSharingModule } from '../exchange.module.js';
import { CallBudgets } from '../transport/call-budget.js';
import { limitsReached } from '../transport/call-limit.js';
import { OverBudget, type CallQueue } from '../transport/call-queue.js';
import type { HttpResponse } from '../transport/transport.js';
import { binance } from '../exchanges/binance/binance.js';
import { LiveProcesses } from './live-processes.js';
import { PauseStore } from './pause-store.js';
import { SharedPauses } from './shared-pauses.js';

const BASE = { exchange: 'binance', baseUrl: 'https://api.binance.com' };
const READ = 'GET account';
const DAYS_3_MS = 259_200_000;

/** Binance, rest-api/limits: "an automated IP ban (HTTP status 418)", with the time in `Retry-After`. */
const banned = (retryAfterMs = DAYS_3_MS): HttpResponse => {
  const response = { status: 418, body: '{"code":-1003}', headers: {}, retryAfterMs };
  return { ...response, limitsReached: limitsReached(binance.limits, response) };
};

describe('the limits of calls that processes share', () => {
  let database: TestDatabase;
  let owner: pg.Client;
  let running: TestingModule[] = [];
  let ours: TestingModule;
  let theirs: TestingModule;

  /** Starts the part of an API or worker process that shares the limits. */
  async function start(): Promise<TestingModule> {
    const platform = PlatformModule.forRoot(testConfig(database), pino({ level: 'silent' }), 'test');
    const process = await Test.createTestingModule({ imports: [platform, FollowSharingModule] }).compile();
    await process.init();
    running.push(process);
    return process;
  }

  async function stop(process: TestingModule): Promise<void> {
    running = running.filter((each) => each !== process);
    await process.close();
  }

  const queueIn = (process: TestingModule, credentialId = 'wallet'): CallQueue =>
    process.get(CallBudgets, { strict: false }).at(BASE).queueOf(credentialId);

  /** Whether the process would send a call now. */
  const sends = (process: TestingModule, credentialId?: string): Promise<boolean> =>
    queueIn(process, credentialId)
      .run(() => Promise.resolve(true), { endpoint: READ })
      .catch((error: unknown) => {
        if (error instanceof OverBudget) return false;
        throw error;
      });

  const storeOf = (process: TestingModule): PauseStore => process.get(PauseStore, { strict: false });
  const stored = async (): Promise<number> => (await storeOf(ours).list()).length;

  beforeAll(async () => {
    database = await createTestDatabase();
    owner = new pg.Client(database.ownerUrl);
    await owner.connect();
  });
  beforeEach(async () => {
    await owner.query('delete from exchange_pauses; delete from exchange_callers');
    ours = await start();
    theirs = await start();
  });
  afterEach(async () => {
    for (const process of [...running]) await stop(process);
  });
  afterAll(async () => {
    await owner.end();
    await database.drop();
  });

  it('stop the calls of every process and of every credential after a ban of our address', async () => {
    queueIn(ours).heedSubmission(banned(), 'submission order');
    expect(await sends(ours, 'another wallet')).toBe(false);
    await until('the other process knows the ban', async () => !(await sends(theirs, 'a third wallet')));
  });

  it('stop the first call of a process that starts during a ban, also when all processes were restarted', async () => {
    queueIn(ours).heed(banned(), READ);
    await until('the ban is stored', async () => (await stored()) === 1);
    await stop(ours);
    await stop(theirs);
    ours = await start();
    expect(await sends(ours)).toBe(false);
    const [pause] = await storeOf(ours).list();
    expect(pause).toMatchObject({ exchange: 'binance', of: 'address', reason: 'ban', status: 418 });
    expect(pause?.leftMs).toBeGreaterThan(DAYS_3_MS - 600_000);
    expect(pause?.leftMs).toBeLessThanOrEqual(DAYS_3_MS);
  });

  it('stop only the calls of one credential when a response asks for an undocumented pause', async () => {
    queueIn(ours).heed({ status: 418, body: '', retryAfterMs: DAYS_3_MS }, READ);
    await until('the other process knows the pause', async () => !(await sends(theirs, 'wallet')));
    expect([await sends(ours, 'other'), await sends(theirs, 'other')]).toEqual([true, true]);
    const [pause] = await storeOf(ours).list();
    expect(pause).toMatchObject({ of: 'credential', credentialId: 'wallet', reason: 'retry_after' });
    expect(pause?.leftMs).toBeLessThanOrEqual(600_000);
  });

  it('end in every process when an operator ends the pauses of the exchange', async () => {
    queueIn(ours).heed(banned(), READ);
    await until('the other process knows the ban', async () => !(await sends(theirs)));
    const db = ours.get(Database, { strict: false });
    const ended = await db.transaction((tx) => storeOf(ours).end(tx, 'binance'));
    expect(ended).toMatchObject([{ of: 'address', reason: 'ban' }]);
    await until('both processes call again', async () => (await sends(ours)) && (await sends(theirs)));
  });

  it('end although an operator ends a pause that a process is still storing', async () => {
    const store = storeOf(ours);
    let confirm: () => void = () => undefined;
    const isConfirmed = new Promise<void>((resolve) => {
      confirm = resolve;
    });
    const save = store.save.bind(store);
    // The pause is in the database, but this process does not know it yet.
    store.save = async (pause) => {
      await save(pause);
      await isConfirmed;
    };
    queueIn(ours).heed(banned(), READ);
    await until('the other process knows the ban', async () => !(await sends(theirs)));
    const db = ours.get(Database, { strict: false });
    await db.transaction((tx) => store.end(tx, 'binance'));
    const reloading = ours.get(SharedPauses, { strict: false }).reload();
    confirm();
    await reloading;
    expect([await sends(ours), await stored()]).toEqual([true, 0]);
  });

  it('keep a longer ban of another process, and the beginning of the first', async () => {
    queueIn(ours).heed(banned(), READ);
    await until('the ban is stored', async () => (await stored()) === 1);
    const [before] = await storeOf(ours).list();
    if (before === undefined) throw new Error('the ban is stored');
    await storeOf(theirs).save({ ...before, sinceMs: 0, leftMs: 120_000 });
    const [after] = await storeOf(ours).list();
    expect(after).toMatchObject({ beganAt: before?.beganAt, endsAt: before?.endsAt });
  });

  it('do not store a pause that is shorter than two seconds', async () => {
    queueIn(ours).heed({ status: 429, body: '', retryAfterMs: 1_500 }, READ);
    queueIn(ours, 'other').heed({ status: 429, body: '', retryAfterMs: 60_000 }, READ);
    await until('the longer pause is stored', async () => (await stored()) > 0);
    expect(await storeOf(ours).list()).toMatchObject([{ credentialId: 'other' }]);
  });

  it('stay in the memory of a process while the database fails, and reach the others afterwards', async () => {
    queueIn(ours).heed(banned(), READ);
    await until('the other process knows the ban', async () => !(await sends(theirs)));
    await owner.query('alter table exchange_pauses rename to hidden_pauses');
    try {
      queueIn(ours, 'late').heed({ status: 429, body: '', retryAfterMs: 60_000 }, READ);
      await expect(ours.get(SharedPauses, { strict: false }).reload()).rejects.toThrow('exchange_pauses');
      expect([await sends(ours), await sends(theirs), await sends(ours, 'late')]).toEqual([false, false, false]);
    } finally {
      await owner.query('alter table hidden_pauses rename to exchange_pauses');
    }
    await ours.get(SharedPauses, { strict: false }).reload();
    await until('the late pause is stored', async () => (await stored()) === 2);
  });

  it('delete the rows of pauses that ended an hour ago when a new pause begins', async () => {
    await owner.query(
      `insert into exchange_pauses values ('okx', 'https://www.okx.com', 'address', '', '', 'ban', 418,
         now() - interval '3 hours', now() - interval '2 hours')`,
    );
    queueIn(ours).heed(banned(), READ);
    await until('the old row is gone', async () => {
      const { rows } = await owner.query<{ exchange: string }>('select exchange from exchange_pauses');
      return rows.length === 1 && rows[0]?.exchange === 'binance';
    });
  });

  describe('the limit of our address', () => {
    const countIn = (process: TestingModule): number => process.get(LiveProcesses, { strict: false }).count;

    it('is divided among the processes that run, and a process that stops gives its part back', async () => {
      await until('both processes know each other', () => countIn(ours) === 2 && countIn(theirs) === 2);
      const third = await start();
      expect(countIn(third)).toBe(3);
      await until('the others know the third process', () => countIn(ours) === 3 && countIn(theirs) === 3);
      await stop(third);
      await until('the others know that it stopped', () => countIn(ours) === 2 && countIn(theirs) === 2);
    });

    it('is divided without a process that stops while it renews its row', async () => {
      const third = await start();
      const db = third.get(Database, { strict: false });
      const processes = third.get(LiveProcesses, { strict: false });
      const query = db.query.bind(db);
      let isGone = false;
      const wasGone: boolean[] = [];
      db.query = async <Row>(text: string, values?: unknown[]) => {
        if (text.includes('delete from exchange_callers where id = $1')) isGone = true;
        if (text.includes('insert into exchange_callers')) {
          // The statement waits for a connection of the pool.
          await Promise.resolve();
          wasGone.push(isGone);
        }
        return query<Row>(text, values);
      };
      const renewing = processes.renew();
      const stopping = processes.beforeApplicationShutdown();
      await Promise.all([renewing, stopping]);
      expect(wasGone).toEqual([false]);
      expect((await owner.query('select 1 from exchange_callers')).rowCount).toBe(2);
    });

    it('is divided again when a process has died', async () => {
      await until('both processes know each other', () => countIn(ours) === 2);
      await owner.query(
        `insert into exchange_callers values ('01000000-0000-7000-8000-000000000000', now() - interval '1 minute')`,
      );
      await ours.get(LiveProcesses, { strict: false }).renew();
      expect(countIn(ours)).toBe(2);
      expect((await owner.query('select 1 from exchange_callers')).rowCount).toBe(2);
    });
  });
});
