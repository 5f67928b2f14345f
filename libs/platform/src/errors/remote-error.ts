/** A call to another party's server, such as an exchange, failed. It is not a fault of this program. */
export abstract class RemoteError extends Error {
  /** The server and its failure, in a few words and without ids, because the log has one line for each cause. */
  abstract readonly logCause: string;
}
