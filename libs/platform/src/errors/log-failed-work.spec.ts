import { mock } from 'node:test';
import { pino } from 'pino';
import { DomainError } from './domain-error.js';
import { InternalError } from './generic-errors.js';
import { logFailedWork } from './log-failed-work.js';
import { RemoteError } from './remote-error.js';

class Unreachable extends RemoteError {
  readonly logCause = 'kraken unavailable';
}

const withCode = (code: string, message: string): Error => Object.assign(new Error(message), { code });

describe('the log of failed work', () => {
  const lines: Record<string, unknown>[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) });
  const shown = (): unknown[] => lines.map(({ level, msg, wallet, again }) => [level, msg, wallet, again]);
  let now = 0;
  beforeEach(() => {
    lines.splice(0);
    mock.method(performance, 'now', () => now);
  });
  afterEach(() => mock.restoreAll());

  it('has one warning in ten seconds for an unreachable exchange, although the messages differ', () => {
    for (now = 0; now <= 10_000; now += 100) {
      const error = new Unreachable(`time-out after ${now} ms`, { cause: new Error('socket closed') });
      logFailedWork(log, error, 'not refreshed', { wallet: `w-${now}` });
    }
    expect(shown()).toEqual([
      [40, 'not refreshed', 'w-0', 0],
      [40, 'not refreshed', 'w-10000', 99],
    ]);
    expect(lines[0]).toMatchObject({ cause: 'kraken unavailable', because: 'time-out after 0 ms: socket closed' });
    expect(lines[0]).not.toHaveProperty('err');
  });

  it.each([
    ['PostgreSQL', withCode('ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:5432')],
    // When all addresses of a host name refuse the connection, Node throws an error with a code and no message.
    ['a host with several addresses', Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' })],
    ['Redis', new Error('Connection is closed.')],
    ['the database, wrapped by a job', new Error('the sweep failed', { cause: withCode('57P01', 'shutting down') })],
    [
      'the exchange, as the error for the caller',
      new DomainError('WITHDRAWAL_PROVIDER_ERROR', 'Kraken does not answer'),
    ],
  ])('has a warning without a stack for an outage of %s', (name, error) => {
    for (now of [0, 1]) logFailedWork(log, error, `sweep of ${name}`);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ level: 40, because: expect.stringMatching(/\w/) as string });
    expect(lines[0]).not.toHaveProperty('err');
  });

  it.each([
    ['a fault', new TypeError('x is not a function')],
    ['a fault wrapped in InternalError', new InternalError(new TypeError('x is not a function'))],
  ])('has %s as an error with its stack, once in ten seconds', (name, error) => {
    for (now of [0, 9_999, 10_000]) logFailedWork(log, error, name);
    expect(shown()).toEqual([
      [50, name, undefined, 0],
      [50, name, undefined, 1],
    ]);
    expect(lines[0]).toMatchObject({ err: { type: 'TypeError', stack: expect.stringContaining('at ') as string } });
  });

  it('counts faults as repeats when their messages differ only in ids and numbers', () => {
    const ids = ['01a1fb00-0523-7459-8d7f-6a4f6f1f3f61', '01a1fb00-0552-71e6-86dd-0070f9f9fdc9'];
    for (const id of ids) logFailedWork(log, new Error(`row ${id} has 3 entries`), 'job failed', { wallet: id });
    logFailedWork(log, new Error('column "x" does not exist'), 'job failed');
    expect(lines.map(({ err }) => (err as Error).message)).toEqual([
      `row ${ids[0]} has 3 entries`,
      'column "x" does not exist',
    ]);
  });

  it('treats a thrown value that is not an Error as a fault', () => {
    logFailedWork(log, 'out of luck', 'thrown text');
    expect(lines[0]).toMatchObject({ level: 50, msg: 'thrown text', err: { message: 'out of luck' } });
  });
});
