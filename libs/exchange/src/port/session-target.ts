import type { ExchangeCredentials, ProjectMode } from './exchange.port.js';

/** The account that a session is for. */
export interface SessionTarget {
  /** Id of the exchange, as in `ExchangeSpec.id`. */
  readonly exchange: string;
  readonly mode: ProjectMode;
  readonly credentials: ExchangeCredentials;
  /** Changes whenever the credentials change. Sessions are cached by it and never get other credentials. */
  readonly credentialId: string;
}
