/** A call to the server of another party (an exchange) failed. It is no fault of this program. */
export abstract class RemoteError extends Error {
  /** Which server failed, and how: in few words and without ids, because the log has one line for each cause. */
  abstract readonly logCause: string;
}
