import type { AccessKind } from './authorization.port.js';
import type { ExchangeCredentials } from './exchange.port.js';

export type CredentialField = keyof ExchangeCredentials;

/** What is declared about an exchange and shown to callers. */
export interface ExchangeSpec {
  /** Lower-case identifier, as in paths and in `wallet.exchange`. */
  readonly id: string;
  readonly name: string;
  readonly docsUrl: string;
  /** What the wallet's owner has to give who connects by key. An authorized account may have a bearer token as `apiKey` alone. */
  readonly credentialFields: readonly CredentialField[];
  /** Where the owner makes such a key. */
  readonly keyUrl: string;
  /** What we can do at this exchange, and so all that an application can want there; reading is always part of it. */
  readonly access: readonly AccessKind[];
  /** What each permission of a key lets its holder do. Of those that are not named nobody knows. */
  readonly permissionAccess: Readonly<Record<string, readonly AccessKind[]>>;
  /** Countries (ISO 3166-1 alpha-2) from which the exchange is not offered. */
  readonly countriesExcluded: readonly string[];
  /** Whether the sandbox exchange speaks this exchange's protocol, so that test projects can connect to it. */
  readonly hasSandbox: boolean;
  /** Test projects only: an exchange that exists in the sandbox alone. */
  readonly sandboxOnly: boolean;
}
