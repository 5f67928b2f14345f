/** A call to another party's server, such as an exchange, failed. It is not a fault of this program. */
export abstract class RemoteError extends Error {
  /** Names the server and its failure, without ids. Failures with the same text are counted in one log line. */
  abstract readonly logCause: string;
}
