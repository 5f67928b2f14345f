import { pino } from 'pino';
import { InternalError, Overloaded, Stopping } from './generic-errors.js';
import { logFailure } from './log-failure.js';

describe('the log of failed requests', () => {
  const lines: Record<string, unknown>[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) });
  beforeEach(() => lines.splice(0));

  it('has every fault of this program with its stack', () => {
    for (const at of [0, 1]) logFailure(log, new InternalError(new Error('broken')), at);
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatchObject({ level: 50, err: { stack: expect.stringContaining('broken') as string } });
  });

  it('has one line in ten seconds for each external cause, with the number of repeats', () => {
    for (let at = 0; at < 20_000; at += 100) logFailure(log, new Overloaded(), at);
    logFailure(log, new Stopping(), 20_000);
    expect(lines.map(({ level, msg, again }) => ({ level, msg, again }))).toEqual([
      { level: 40, msg: 'The service is busy; send the request again', again: 0 },
      { level: 40, msg: 'The service is busy; send the request again', again: 99 },
      { level: 40, msg: 'The service is stopping; send the request again', again: 0 },
    ]);
  });
});
