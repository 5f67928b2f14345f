import { capturedLog } from '#platform/testing';
import { logConsole } from './log-console.js';

describe('text that a library prints', () => {
  const open = () => {
    const { logger, lines } = capturedLog();
    const target: Pick<Console, 'warn' | 'error'> = { warn: () => undefined, error: () => undefined };
    logConsole(logger, target);
    return { target, lines };
  };

  it('is logged with its level', () => {
    const { target, lines } = open();
    target.warn('the server has %d databases', 16);
    target.error('the server is gone:', 'ECONNRESET');
    expect(lines).toMatchObject([
      { level: 40, msg: 'the server has 16 databases' },
      { level: 50, msg: 'the server is gone: ECONNRESET' },
    ]);
  });

  it('is logged once when many connections print it', () => {
    const { target, lines } = open();
    for (let connection = 0; connection < 39; connection++) target.warn('IMPORTANT! Eviction policy is allkeys-lru.');
    expect(lines).toHaveLength(1);
  });
});
