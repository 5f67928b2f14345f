import { isOutage } from '#platform/errors';

const IS_SILENT = 'the database does not answer';
const CANNOT_WORK = 'the database cannot work now';
/** Matches the code of an outage that PostgreSQL itself reports (SQLSTATE). All other codes come from this host. */
const SERVER_CODE = /^\d[\dA-Z]{4}$/;

/**
 * The beginnings of the texts that `databaseProblemOf` returns for an outage of the database. The database may recover
 * from it by itself; an operator has to solve all other problems.
 */
export const DATABASE_OUTAGES: readonly string[] = [IS_SILENT, CANNOT_WORK];

/** The problems that an operator has to solve, by PostgreSQL's error code. */
const PROBLEMS: Readonly<Record<string, string>> = {
  '25006': 'the database is read-only: connect to a server that accepts writes',
  '28000': 'the database refuses the user or the password of the connection',
  '28P01': 'the database refuses the user or the password of the connection',
  '3D000': 'the database that the connection names does not exist',
  '3F000': 'the database is not migrated: run npm run migrate',
  '42P01': 'the database is not migrated: run npm run migrate',
  '42703': 'the database is not migrated: run npm run migrate',
  '42501':
    'the role of the connection lacks rights: run npm run migrate, and connect each process with its own role (DATABASE_ROLE_PREFIX)',
  '42704': 'the roles of DATABASE_ROLE_PREFIX do not exist: create them first (docker/postgres/init-roles.sh)',
};

/** Describes an outage, or a problem that an operator has to solve, in one line. Returns null for all other errors. */
export function databaseProblemOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const code = 'code' in error ? String(error.code) : '';
  const text = PROBLEMS[code];
  if (text !== undefined) return `${text} (${error.message})`;
  if (!isOutage(error)) return null;
  return `${SERVER_CODE.test(code) ? CANNOT_WORK : IS_SILENT}: ${error.message || code}`;
}
