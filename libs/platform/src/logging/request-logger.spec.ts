import { pino } from 'pino';
import { logRepeated } from './log-repeated.js';
import { RequestLogger } from './request-logger.js';

describe('the logger of a request', () => {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const parent = pino(
    { level: 'info', base: { process: 'api' }, messageKey: 'message', timestamp: pino.stdTimeFunctions.isoTime },
    destination,
  );
  const logger = RequestLogger.of(parent, { requestId: 'a"b' }).child({ project: 'p', apiKeyId: undefined });

  beforeEach(() => void lines.splice(0));

  it('writes the same access line as pino', () => {
    parent.child({ requestId: 'a"b' }).child({ project: 'p' }).info({ method: 'GET', status: 200 }, 'request');
    logger.writeAccess('info', ',"method":"GET","status":200');
    const [one, other] = lines.map((line) => line.replace(/"time":"[\d-]+T[\d:.]+Z"/, '"time"'));
    expect(other).toBe(one);
    expect(other).toContain('"time"');
  });

  it('shares the count of repeated lines with the requests of the same log', () => {
    for (const requestId of ['first', 'second']) {
      const line = { message: 'busy', cause: 'overload of this spec', facts: {} };
      logRepeated(RequestLogger.of(parent, { requestId }), 'warn', line, 0);
    }
    expect(lines).toHaveLength(1);
  });

  it('writes no access line when its level is off', () => {
    logger.writeAccess('debug', '');
    expect(lines).toEqual([]);
  });

  it('writes no secret of a caller into the access line', () => {
    RequestLogger.of(parent, { requestId: 'svc_live_AbC123', other: 'bearer AbC123' }).writeAccess('info', '');
    expect(lines.join('')).toContain('"requestId":"svc_live_[secret]","other":"bearer [secret]"');
  });

  it.each(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const)(
    'writes a line of the level %s as pino does',
    (level) => {
      const [facts, text] = [{ code: 'X' }, 'text'];
      parent.child({ requestId: 'a"b', project: 'p' })[level](facts, text);
      const expected = lines.splice(0).map(withoutTime);
      logger[level](facts, text);
      expect(lines.map(withoutTime)).toEqual(expected);
    },
  );
});

function withoutTime(line: string): object {
  return { ...(JSON.parse(line) as object), time: undefined };
}
