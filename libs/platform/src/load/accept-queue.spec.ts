import { EventEmitter } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { AcceptQueue } from './accept-queue.js';

/** The maximum number of connections that wait for acceptance. */
const QUEUED_MAX = 511;

describe('the accept queue', () => {
  const server = new EventEmitter();
  const queue = new AcceptQueue(server);
  let begun = 0;
  const begin = (): void => void (begun += 1);
  const acceptOne = async (): Promise<void> => {
    server.emit('connection');
    await nextTurn();
  };
  beforeEach(() => (begun = 0));

  it('lets work begin at once while no connection is accepted', () => {
    queue.whenEmpty(begin);
    expect(begun).toBe(1);
  });

  it('lets work begin after the first turn of the event loop that accepts no connection', async () => {
    for (let connection = 0; connection < 3; connection++) await acceptOne();
    queue.whenEmpty(begin);
    queue.whenEmpty(begin);
    await acceptOne();
    expect(begun).toBe(0);
    await nextTurn();
    expect(begun).toBe(2);
    queue.whenEmpty(begin);
    expect(begun).toBe(3);
  });

  it('lets work begin at the latest after accepting as many connections as can wait in the queue', async () => {
    await acceptOne();
    queue.whenEmpty(begin);
    for (let connection = 1; connection < QUEUED_MAX; connection++) await acceptOne();
    expect(begun).toBe(0);
    await acceptOne();
    expect(begun).toBe(1);
    queue.whenEmpty(begin);
    await acceptOne();
    expect(begun).toBe(1);
    await nextTurn();
    expect(begun).toBe(2);
  });
});
