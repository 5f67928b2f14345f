import { setTimeout as sleep } from 'node:timers/promises';
import type { INestApplicationContext } from '@nestjs/common';
import { exitWithParent } from '#platform/child-program';
import { InvalidConfig, loadConfig, type Config } from '#platform/config';
import { Database, databaseProblemOf, migrations } from '#platform/database';
import { CannotListen } from '#platform/errors';
import { LAST_REQUESTS_MS, Shutdown, StartRefused } from '#platform/lifecycle';
import { createLogger, logConsole, type Logger } from '#platform/logging';
import { requireSettings } from './required-settings.js';

/** How long a process that has finished its work waits for its connections to close, before it exits anyway. */
const CLOSE_MS = 3_000;

/**
 * Reads the configuration, starts the app, and stops it on SIGTERM and SIGINT. The reason of a failed start is written
 * to standard error, with a stack only for a fault of this program.
 */
export async function runProcess(
  name: string,
  start: (config: Config, logger: Logger) => Promise<INestApplicationContext>,
): Promise<void> {
  exitWithParent();
  try {
    const config = loadConfig();
    requireSettings(config);
    const logger = createLogger(config, name);
    logConsole(logger);
    process.on('uncaughtException', (error) => {
      logger.fatal({ err: error }, 'uncaught exception');
      process.exit(1);
    });
    const app = await start(config, logger);
    stopOnSignal(app, config, logger);
    await reportDatabase(app, logger);
  } catch (error) {
    process.stderr.write(`${name} cannot start: ${explain(error)}\n`);
    process.exit(1);
  }
}

/**
 * Logs problems of the database at start. The process still starts, and becomes ready when it can work. No failure here
 * ends the process, because the database may have become unreachable after the start.
 */
async function reportDatabase(app: INestApplicationContext, logger: Logger): Promise<void> {
  const database = app.get(Database);
  try {
    if (!(await database.isReady(migrations.length))) {
      logger.warn(
        'not ready: the database is read-only or lacks migrations: check DATABASE_URL, and run npm run migrate',
      );
      return;
    }
    const owner = await database.findOwningRole();
    if (owner === null) return;
    logger.warn(
      `DATABASE_URL names the role ${owner}, which owns the tables and could remove the rules that protect money: use the role of the process (DATABASE_ROLE_PREFIX)`,
    );
  } catch (error) {
    const problem = databaseProblemOf(error);
    if (problem === null) logger.error({ err: error }, 'the database could not be checked');
    else logger.warn(`not ready: ${problem}`);
  }
}

function stopOnSignal(app: INestApplicationContext, { values }: Config, logger: Logger): void {
  const { SHUTDOWN_DELAY_MS: delayMs, SHUTDOWN_TIMEOUT_MS: timeoutMs } = values;
  let stopping = false;
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    // Ctrl-C in a terminal signals this process, and `npm start` then signals it a second time.
    if (stopping) return;
    stopping = true;
    logger.info({ signal, delayMs }, 'stopping: no longer ready');
    const shutdown = app.get(Shutdown);
    shutdown.announce();
    await sleep(delayMs);
    setTimeout(() => {
      logger.warn({ timeoutMs }, 'stopped with work in progress: SHUTDOWN_TIMEOUT_MS has passed');
      process.exit(0);
    }, timeoutMs).unref();
    shutdown.stopListening();
    await sleep(LAST_REQUESTS_MS);
    logger.info('stopping: finishing the work in progress');
    await shutdown.begin();
    const isClosed = await Promise.race([app.close().then(() => true), sleep(CLOSE_MS, false)]);
    if (isClosed) logger.info('stopped');
    else logger.warn('stopped with an open connection, because its server does not respond');
    process.exit(0);
  };
  const fail = (error: unknown): void => {
    logger.fatal({ err: error }, 'stopping failed');
    process.exit(1);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal).catch(fail));
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isToldPlainly = [InvalidConfig, StartRefused, CannotListen].some((kind) => error instanceof kind);
  if (isToldPlainly) return error.message;
  return databaseProblemOf(error) ?? error.stack ?? error.message;
}
