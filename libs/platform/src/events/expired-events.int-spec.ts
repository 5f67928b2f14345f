import { randomUUID } from 'node:crypto';
import { Test, type TestingModule } from '@nestjs/testing';
import { pino } from 'pino';
import { PlatformModule } from '#platform/app';
import { Clock, DAY_MS } from '#platform/clock';
import { Config, loadConfig, testOverrides } from '#platform/config';
import { Database } from '#platform/database';
import { PeriodicTasks } from '#platform/lifecycle';
import { createTestDatabase, ManualClock, type TestDatabase } from '#platform/testing';
import { EventOutbox } from './event-outbox.js';
import { Events, type EventType } from './events.js';
import { ExpiredEventCounters } from './expired-event-counters.js';
import { ExpiredEvents } from './expired-events.js';

const BATCH = 3;
const KEEP_DAYS = 7;

describe('events', () => {
  const clock = new ManualClock();
  const projectId = randomUUID();
  let database: TestDatabase;
  let module: TestingModule;
  let db: Database;

  beforeAll(async () => {
    database = await createTestDatabase();
    const config = loadConfig({
      NODE_ENV: 'test',
      DATABASE_URL: database.appUrl,
      EVENTS_KEEP_DAYS: String(KEEP_DAYS),
      ...testOverrides({ RETENTION_BATCH: BATCH }),
      API_KEY_PEPPER: Buffer.alloc(32, 2).toString('base64'),
      VAULT_KEYS: `test:${Buffer.alloc(32, 1).toString('base64')}`,
    });
    module = await Test.createTestingModule({
      imports: [PlatformModule.forRoot(config, pino({ level: 'silent' }), 'test')],
    })
      .overrideProvider(Clock)
      .useValue(clock)
      .compile();
    db = module.get(Database);
    const organizationId = randomUUID();
    await db.query(`insert into organizations (id, name, created_at) values ($1, 'o', $2)`, [
      organizationId,
      clock.now(),
    ]);
    await db.query(
      `insert into projects (id, organization_id, name, mode, created_at) values ($1, $2, 'p', 'test', $3)`,
      [projectId, organizationId, clock.now()],
    );
  });
  afterAll(async () => {
    await module.close();
    await database.drop();
  });

  const add = (subject: string): Promise<unknown> =>
    db.query(
      `insert into events (id, project_id, type, subject, data, created_at) values ($1, $2, 'wallet.created', $3, '{}', $4)`,
      [randomUUID(), projectId, subject, clock.now()],
    );

  it('are deleted when their days are over, once by several workers, and younger ones stay', async () => {
    const worker = () => new ExpiredEvents(db, clock, module.get(Config), module.get(PeriodicTasks));
    for (let number = 1; number <= 2 * BATCH + 1; number++) await add(`old ${number}`);
    clock.advance(1);
    await add('young');
    clock.advance(KEEP_DAYS * DAY_MS - 1);
    const deleted = await Promise.all([worker().delete(), worker().delete(), worker().delete()]);
    expect(deleted.reduce((sum, count) => sum + count)).toBe(2 * BATCH + 1);
    expect(await db.query('select subject from events')).toEqual([{ subject: 'young' }]);
    expect(await worker().delete()).toBe(0);
  });

  it('of a deleted wallet keep their numbers as long as its events are stored, and of a connected one for ever', async () => {
    const counters = new ExpiredEventCounters(db, clock, module.get(Config), module.get(PeriodicTasks));
    const outbox = module.get(EventOutbox);
    const record = (walletId: string, type: EventType): Promise<void> =>
      db.transaction((tx) =>
        module.get(Events).record(tx, [{ projectId, type, subject: walletId, data: { walletId } }]),
      );
    const numbers: (string | null)[] = [];
    const dispatch = (): Promise<number> =>
      outbox.dispatch(100, (_tx, events) => {
        numbers.push(...events.map(({ walletSequence }) => walletSequence));
        return Promise.resolve();
      });
    await dispatch();
    numbers.length = 0;
    for (const wallet of ['kept', 'gone']) await record(wallet, 'wallet.created');
    await record('gone', 'wallet.deleted');
    await dispatch();
    clock.advance(KEEP_DAYS * DAY_MS - 1);
    expect(await counters.delete()).toBe(0);
    clock.advance(1);
    expect(await counters.delete()).toBe(1);
    for (const wallet of ['kept', 'gone']) await record(wallet, 'wallet.created');
    await dispatch();
    expect(numbers).toEqual(['1', '1', '2', '2', '1']);
  });
});
