import { execFileSync } from 'node:child_process';
import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { once } from 'node:events';
import { pino } from 'pino';
import { logDestination } from './logger.js';

const LINE = 'x'.repeat(100_000);
const LINES = 400;
const LIMIT_BYTES = 16 * 1_048_576;

describe('a log whose reader has stopped', () => {
  it('keeps a limited number of bytes, and is written again when the reader continues', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'causeway-log-'));
    const pipe = path.join(folder, 'log');
    execFileSync('mkfifo', [pipe]);
    const reader = createReadStream(pipe, 'utf8');
    const destination = logDestination(pipe);
    let dropped = 0;
    destination.on('drop', () => (dropped += 1));
    await once(destination, 'ready');
    const logger = pino({ base: null }, destination);
    for (let line = 0; line < LINES; line++) logger.info(LINE);
    expect(dropped).toBeGreaterThan(LINES - LIMIT_BYTES / LINE.length - 1);

    let read = 0;
    reader.on('data', (part) => (read += String(part).split('\n').length - 1));
    while (read < LINES - dropped) await once(reader, 'data');
    logger.info('another line');
    while (read < LINES - dropped + 1) await once(reader, 'data');
    destination.end();
    await once(reader, 'close');
    rmSync(folder, { recursive: true });
  });
});
