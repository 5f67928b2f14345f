import { z } from 'zod';
import { integer, url } from './kinds.js';

const POSTGRES = ['postgres', 'postgresql'];

/** Whether the URL names no database, or names it by its number. The Redis client would misread other text. */
function hasOnlyDatabaseNumber(text: string): boolean {
  const { pathname, searchParams } = new URL(text);
  return /^\/?\d*$/.test(pathname) && /^\d*$/.test(searchParams.get('db') ?? '');
}

export const storageSettings = {
  DATABASE_URL: url(POSTGRES)
    .describe(
      'PostgreSQL, as the role of the process (`causeway_api`, `causeway_worker`, `causeway_cli`), which owns no tables. Required by API, worker and command line.',
    )
    .optional(),
  DATABASE_OWNER_URL: url(POSTGRES)
    .describe('PostgreSQL, as the owner of the tables. Only `npm run migrate` reads it.')
    .optional(),
  DATABASE_ROLE_PREFIX: z
    .string()
    .regex(/^[a-z_][a-z0-9_]{0,50}$/, 'must consist of lower-case letters, digits and _, and not begin with a digit')
    .default('causeway')
    .describe(
      'Beginning of the names of the roles of API, worker and command line: `<prefix>_api`, `<prefix>_worker`, `<prefix>_cli`. They must not own the tables. The migrations grant them their rights.',
    ),
  DATABASE_POOL_MAX: integer(10, 1, 200).describe(
    'Maximum number of connections of one process to PostgreSQL. An API has half as many more, only for executions and orders.',
  ),
  DATABASE_CONNECT_TIMEOUT_MS: integer(3_000, 100, 60_000).describe('Longest wait for a free or a new connection.'),
  DATABASE_STATEMENT_TIMEOUT_MS: integer(3_000, 100, 60_000).describe('Longest time that a statement may run.'),
  DATABASE_LOCK_TIMEOUT_MS: integer(1_500, 50, 60_000).describe('Longest wait for a row lock.'),
  CLOCK_DIFFERENCE_MAX_MS: integer(5_000, 100, 60_000).describe(
    'Largest difference between the host’s clock and the database’s clock. Beyond it the process is not ready and sends no withdrawal and no order.',
  ),
  REDIS_URL: url(['redis', 'rediss'])
    .describe(
      'Redis for the job queues. The path is the number of the database (`redis://localhost:6379/1`), by default 0. Without this setting the queues are in PostgreSQL.',
    )
    .refine(
      hasOnlyDatabaseNumber,
      'must have no path except the number of a database, such as redis://localhost:6379/1',
    )
    .optional(),
};
