import type { ExchangeCredentials, ProjectMode } from './exchange.port.js';

/** The account that a session is for. */
export interface SessionTarget {
  /** Id of the exchange, as in `ExchangeSpec.id`. */
  readonly exchange: string;
  readonly mode: ProjectMode;
  readonly credentials: ExchangeCredentials;
  /** An id that changes with the credentials. Sessions are cached by this id and never get other credentials. */
  readonly credentialId: string;
}
