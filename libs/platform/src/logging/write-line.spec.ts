import { pino } from 'pino';
import { writeRequestLine } from './write-line.js';

describe('the access line of a request', () => {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const logger = pino(
    { level: 'info', base: { process: 'api' }, messageKey: 'message', timestamp: pino.stdTimeFunctions.isoTime },
    destination,
  ).child({ requestId: 'a"b', project: 'p' });

  beforeEach(() => void lines.splice(0));

  it('is the line that pino writes', () => {
    logger.info({ method: 'GET', status: 200 }, 'request');
    writeRequestLine(logger, 'info', '', ',"method":"GET","status":200');
    const [one, other] = lines.map((line) => line.replace(/"time":"[\d-]+T[\d:.]+Z"/, '"time"'));
    expect(other).toBe(one);
    expect(other).toContain('"time"');
  });

  it('is not written when its level is off', () => {
    writeRequestLine(logger, 'debug', '', '');
    expect(lines).toEqual([]);
  });

  it('shows no secret that a caller sent', () => {
    writeRequestLine(logger.child({ requestId: 'svc_live_AbC123' }), 'info', ',"x":"svc_test_AbC123"', '');
    expect(lines.join('')).not.toContain('AbC123');
  });
});
