/**
 * Matches the SQLSTATEs of a PostgreSQL server that cannot work now: connection failures and shutdown (08, 57P), lack
 * of resources (53), time-outs of a statement or a lock (57014, 55P03), a read-only replica (25006).
 */
const SQLSTATE = /^(08...|53...|57P0[1-5]|57014|55P03|25006)$/;
const NETWORK = /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/;
/**
 * Matches the messages of those errors of the PostgreSQL and Redis clients that have no code. When the connection of a
 * transaction is lost between two statements, TypeORM releases its query runner and refuses the next statement.
 */
const MESSAGE =
  /^(timeout exceeded when trying to connect|Connection terminated|Query read timeout|Client has encountered a connection error|Client was closed|Query runner already released|Database connection provided by a query runner was already released|Connection is closed|Stream isn't writeable|Command timed out|Reached the max retries per request limit)/;
/** Matches the error replies of a Redis server that is starting, full, or a read-only replica. */
const REDIS_REPLY = /^((LOADING|READONLY|MASTERDOWN|CLUSTERDOWN|MISCONF|OOM) |ERR max number of clients)/;
/**
 * Matches BullMQ's errors about a job or a schedule that the queue has lost or could not store, and about a lock that
 * expired while the queue or this process stood still. Nothing is lost: the row of the job is due again later, and the
 * schedule is created again.
 */
const LOST_JOB =
  /^(Missing (key|lock) for job|Lock mismatch for job|could not renew lock for job|Failed to add repeatable job for next iteration:) /;

/** Whether the database or the queue cannot be reached, or cannot work now. Exchanges have their own error classes. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, driverError, errors } = error as { code?: unknown; driverError?: unknown; errors?: unknown };
  if (typeof code === 'string' && (SQLSTATE.test(code) || NETWORK.test(code))) return true;
  if (Array.isArray(errors) && errors.some(isOutage)) return true;
  if ([MESSAGE, REDIS_REPLY, LOST_JOB].some((pattern) => pattern.test(error.message))) return true;
  return driverError !== error && isOutage(driverError);
}
