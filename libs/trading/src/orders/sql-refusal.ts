/** A lock was not to be had in time. */
export const LOCK_TIMEOUT = '55P03';

/** What PostgreSQL says of a statement that it refused. */
export function sqlRefusalOf(error: unknown): { code?: string; constraint?: string } {
  if (!(error instanceof Error) || !('driverError' in error)) return {};
  return error.driverError as { code?: string; constraint?: string };
}
