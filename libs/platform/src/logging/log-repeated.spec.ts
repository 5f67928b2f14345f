import { pino, type Logger } from 'pino';
import { logRepeated, type RepeatedLine } from './log-repeated.js';

describe('a line whose cause repeats', () => {
  const open = (): { log: Logger; lines: Record<string, unknown>[] } => {
    const lines: Record<string, unknown>[] = [];
    const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) });
    return { log, lines };
  };
  const outage = (at: number): RepeatedLine => ({
    message: 'not refreshed',
    cause: 'kraken unavailable',
    facts: { wallet: `w-${at}` },
  });

  it('is written once in ten seconds, with the number of repeats since the line before', () => {
    const { log, lines } = open();
    for (const at of [0, 5_000, 9_999, 10_000, 10_001]) logRepeated(log, 'warn', outage(at), at);
    expect(lines.map(({ level, msg, wallet, again }) => [level, msg, wallet, again])).toEqual([
      [40, 'not refreshed', 'w-0', 0],
      [40, 'not refreshed', 'w-10000', 2],
    ]);
  });

  it('is written separately for each message and each cause', () => {
    const { log, lines } = open();
    logRepeated(log, 'error', outage(0), 0);
    logRepeated(log, 'error', { ...outage(0), message: 'not closed' }, 0);
    logRepeated(log, 'error', { ...outage(0), cause: 'okx unavailable' }, 0);
    expect(lines).toHaveLength(3);
  });

  it('shares one count between a logger and its child loggers, but not with other loggers', () => {
    const [one, other] = [open(), open()];
    for (const log of [one.log, one.log.child({ requestId: '1' }), one.log.child({ requestId: '2' }), other.log]) {
      logRepeated(log, 'warn', outage(0), 0);
    }
    expect([one.lines.length, other.lines.length]).toEqual([1, 1]);
  });
});
