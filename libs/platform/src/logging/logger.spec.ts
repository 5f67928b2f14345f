import { execFileSync } from 'node:child_process';
import { createReadStream, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { once } from 'node:events';
import { pino } from 'pino';
import { logDestination } from './logger.js';

const numbered = (from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, index) => `line ${from + index} ü`);

describe('a log', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'causeway-log-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  async function openLog(): Promise<{ log: ReturnType<typeof logDestination>; read: () => string[] }> {
    const file = path.join(folder, 'log');
    const log = logDestination(file);
    await once(log, 'ready');
    return { log, read: () => readFileSync(file, 'utf8').split('\n').slice(0, -1) };
  }

  it('is complete and in order after `flushSync`, which a process that ends calls', async () => {
    const { log, read } = await openLog();
    const lines = numbered(0, 10);
    for (const line of lines) log.write(`${line}\n`);
    log.flushSync();
    expect(read()).toEqual(lines);
  });

  it('keeps the order of its lines across `flush` and `end`', async () => {
    const { log, read } = await openLog();
    for (const line of numbered(0, 10_000)) log.write(`${line}\n`);
    log.flush();
    for (const line of numbered(10_000, 10_010)) log.write(`${line}\n`);
    log.end();
    await once(log, 'finish');
    expect(read()).toEqual(numbered(0, 10_010));
  });

  it('is written soon although no further line follows', async () => {
    const { log, read } = await openLog();
    log.write('the only line\n');
    await once(log, 'drain');
    expect(read()).toEqual(['the only line']);
  });
});

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
