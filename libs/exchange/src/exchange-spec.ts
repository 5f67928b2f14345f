import type { ExchangeCredentials } from './exchange.port.js';

export type CredentialField = keyof ExchangeCredentials;

/** What is declared about an exchange and shown to callers. */
export interface ExchangeSpec {
  /** Lower-case identifier, as in paths and in `wallet.exchange`. */
  readonly id: string;
  readonly name: string;
  readonly docsUrl: string;
  /** What the wallet's owner has to give. */
  readonly credentialFields: readonly CredentialField[];
  /** Whether the sandbox exchange speaks this exchange's protocol, so that test projects can connect to it. */
  readonly hasSandbox: boolean;
  /** Test projects only: an exchange that exists in the sandbox alone. */
  readonly sandboxOnly: boolean;
}
