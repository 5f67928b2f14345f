import { mock } from 'node:test';
import pg from 'pg';
import { pino } from 'pino';
import { createTestDatabase, RunningClock, testConfig, type TestDatabase } from '#platform/testing';
import { Notifications } from './notifications.js';

describe('notifications', () => {
  let database: TestDatabase;
  let notifications: Notifications;

  beforeAll(async () => {
    database = await createTestDatabase();
    const { values } = testConfig(database);
    const logger = pino({ level: 'silent' });
    notifications = new Notifications({ values, clock: new RunningClock(), logger, applicationName: 'test' });
  });
  afterAll(async () => {
    await notifications.beforeApplicationShutdown();
    await database.drop();
  });

  it('send one LISTEN after the other when several channels are subscribed at once', async () => {
    const statements = mock.method(pg.Client.prototype, 'query');
    const sent: number[] = [];
    const isListening = (channel: string): Promise<void> =>
      new Promise((resolve) => {
        const onListening = (): void => {
          sent.push(statements.mock.callCount());
          resolve();
        };
        notifications.subscribe({ channel, onMessage: () => undefined, onListening });
      });
    await isListening('first');
    await Promise.all(['second', 'third', 'fourth'].map(isListening));
    statements.mock.restore();
    // Each LISTEN was sent after the end of the one before it, because the next version of `pg` refuses a statement
    // while another one runs on the connection.
    expect(sent).toEqual([1, 2, 3, 4]);
  });
});
