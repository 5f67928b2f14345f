import type { ExchangeCredentials, ProjectMode } from './exchange.port.js';

/** Which account, where, and with what. */
export interface SessionTarget {
  /** Id of the exchange, as in `ExchangeSpec.id`. */
  readonly exchange: string;
  readonly mode: ProjectMode;
  readonly credentials: ExchangeCredentials;
  /** Changes whenever the credential changes: sessions are kept by it and never get other credentials. */
  readonly credentialId: string;
}
