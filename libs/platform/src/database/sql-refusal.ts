import pg from 'pg';

/** PostgreSQL's code for a lock that was not available in time. */
export const LOCK_TIMEOUT = '55P03';

/**
 * Returns PostgreSQL's error code and the violated constraint. Both are missing for an error that is not from
 * PostgreSQL.
 */
export function sqlRefusalOf(error: unknown): { code?: string; constraint?: string } {
  if (error instanceof pg.DatabaseError) return error;
  if (!(error instanceof Error) || !('driverError' in error)) return {};
  return error.driverError as { code?: string; constraint?: string };
}
