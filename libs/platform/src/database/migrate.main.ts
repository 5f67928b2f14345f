import 'reflect-metadata';
import { InvalidConfig, loadConfig } from '#platform/config';
import { databaseProblemOf } from './database-problem.js';
import { migrate } from './migrate.js';

/** PostgreSQL's error code for a role that lacks a right. */
const INSUFFICIENT_PRIVILEGE = '42501';

try {
  const { DATABASE_OWNER_URL, DATABASE_ROLE_PREFIX: prefix } = loadConfig().values;
  if (DATABASE_OWNER_URL === undefined) {
    throw new InvalidConfig(['DATABASE_OWNER_URL: is not set; migrations run as the owner of the tables']);
  }
  process.stdout.write('migrating the database\n');
  const applied = await migrate(DATABASE_OWNER_URL, prefix);
  const done = applied.length === 0 ? 'the schema was up to date' : `applied ${applied.join(', ')}`;
  process.stdout.write(`${done}; the roles ${prefix}_api, ${prefix}_worker and ${prefix}_cli have their rights\n`);
} catch (error) {
  process.stderr.write(`error: ${explain(error)}\n`);
  process.exit(1);
}

function explain(error: unknown): string {
  if (error instanceof InvalidConfig) return error.message;
  if (!(error instanceof Error)) return String(error);
  if ('code' in error && error.code === INSUFFICIENT_PRIVILEGE)
    return `DATABASE_OWNER_URL: its role may not change the schema; connect with the role that owns the tables (${error.message})`;
  return databaseProblemOf(error) ?? error.stack ?? error.message;
}
