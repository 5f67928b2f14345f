import { isOutage } from '#platform/errors';

/**
 * The beginning of the text that `databaseProblemOf` returns for an unreachable database. Such a database may become
 * reachable by itself; an operator has to solve all other problems.
 */
export const DATABASE_IS_SILENT = 'the database does not answer';

/** The problems that an operator can solve, by PostgreSQL's error code. */
const PROBLEMS: Readonly<Record<string, string>> = {
  '28000': 'the database refuses the user or the password of the connection',
  '28P01': 'the database refuses the user or the password of the connection',
  '3D000': 'the database that the connection names does not exist',
  '3F000': 'the database is not migrated: run npm run migrate',
  '42P01': 'the database is not migrated: run npm run migrate',
  '42703': 'the database is not migrated: run npm run migrate',
  '42501':
    'the role of the connection lacks rights: run npm run migrate, and connect with the role of DATABASE_APP_ROLE',
  '42704': 'the role that DATABASE_APP_ROLE names does not exist: create the role first',
};

/** Describes a problem of the database in one line. Returns null for an error that the operator cannot solve. */
export function databaseProblemOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const code = 'code' in error ? String(error.code) : '';
  if (isOutage(error)) return `${DATABASE_IS_SILENT}: ${error.message || code}`;
  const text = PROBLEMS[code];
  return text === undefined ? null : `${text} (${error.message})`;
}
