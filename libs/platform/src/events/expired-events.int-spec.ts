import { randomUUID } from 'node:crypto';
import { DAY_MS } from '#platform/clock';
import { Config, testOverrides } from '#platform/config';
import { PeriodicTasks } from '#platform/lifecycle';
import { createTestModule, ManualClock, type TestModule } from '#platform/testing';
import { EventOutbox } from './event-outbox.js';
import { Events, type EventType } from './events.js';
import { ExpiredEventCounters, ExpiredEvents } from './expired-events.js';

const BATCH = 3;
const KEEP_DAYS = 7;

describe('events', () => {
  const clock = new ManualClock();
  const projectId = randomUUID();
  let module: TestModule['module'];
  let db: TestModule['db'];
  let close: TestModule['close'];

  beforeAll(async () => {
    const env = { EVENTS_KEEP_DAYS: String(KEEP_DAYS), ...testOverrides({ RETENTION_BATCH: BATCH }) };
    ({ module, db, close } = await createTestModule({ env, clock }));
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
  afterAll(() => close());

  const add = (subject: string): Promise<unknown> =>
    db.query(
      `insert into events (id, project_id, type, subject, data, created_at) values ($1, $2, 'wallet.created', $3, '{}', $4)`,
      [randomUUID(), projectId, subject, clock.now()],
    );

  it('are deleted after their retention time, each by only one of several workers, while younger events stay', async () => {
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

  it('of a connected wallet keep their numbering, and those of a deleted wallet begin at 1 after its counter expired', async () => {
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
