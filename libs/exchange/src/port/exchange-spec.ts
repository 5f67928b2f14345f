import type { AccessKind } from './authorization.port.js';
import type { ExchangeCredentials, KeyDefault, SubmissionClass } from './exchange.port.js';

export type CredentialField = keyof ExchangeCredentials;

/** Help for a person who creates a key and enters it. */
export interface KeyGuide {
  /** The exchange's names of the permissions to choose, by kind of access; absent = not known. */
  readonly permissions?: Readonly<Record<AccessKind, readonly string[]>>;
  /**
   * true = every permission includes reading. Only a key without any other permission then needs the permissions under
   * `read`.
   */
  readonly readsWithAll?: true;
  /** Settings of a key at this exchange that must keep their defaults; absent = none is known. */
  readonly defaults?: readonly KeyDefault[];
  /** The exchange's own names of the credential fields. */
  readonly fieldNames?: Readonly<Partial<Record<CredentialField, string>>>;
  /** The form that a whole field must have, to find copying errors; absent = printable ASCII without spaces. */
  readonly fieldForms?: Readonly<Partial<Record<CredentialField, RegExp>>>;
  /** The field that holds a private key in PEM, which has several lines. */
  readonly pemField?: CredentialField;
}

/** The facts that decide how a withdrawal with an unknown outcome is settled, and what its amount means. */
export interface WithdrawalFacts {
  readonly class: SubmissionClass;
  /** The amount that a request states: `net` is what arrives, `gross` includes the fee. */
  readonly amountIs: 'net' | 'gross';
  /**
   * true = the exchange promises to book nothing for a request after the deadline that the request states; absent = it
   * makes no such promise.
   */
  readonly keepsDeadline?: true;
  /**
   * true = the exchange does not document that its records contain our reference unchanged. A record with another
   * reference whose values match is then a possible match, and its absence by reference proves nothing.
   */
  readonly mayChangeReference?: true;
  /** The page of the exchange's documentation from which these facts follow. */
  readonly evidence: string;
  /**
   * `estimated`: the exchange states a fee only after the withdrawal. Quotes contain the operator's estimate
   * (WITHDRAWAL_FEE_ESTIMATES); networks without an estimate are not offered. Absent = the exchange states fees
   * beforehand.
   */
  readonly fee?: 'estimated';
}

/** A regional site of an exchange. A key is valid only at the site that issued it. */
export interface Region {
  /** Lower-case identifier. */
  readonly id: string;
  /** The name of the site, as the hosted page shows it to owners. */
  readonly name: string;
  /** Base address of the site's API. */
  readonly url: string;
  /** The page that names the address, and the date at which it was read. */
  readonly evidence: string;
}

/** The facts about an exchange that callers may see. */
export interface ExchangeSpec {
  /** Lower-case identifier, as in paths and in `wallet.exchange`. */
  readonly id: string;
  readonly name: string;
  readonly docsUrl: string;
  /**
   * The credentials that a person enters to connect by key. An account connected by OAuth may have only a bearer token,
   * as `apiKey`.
   */
  readonly credentialFields: readonly CredentialField[];
  /** The regional sites, the usual one first; absent = there is one site. */
  readonly regions?: readonly Region[];
  /** The page of the exchange where the owner creates an API key. */
  readonly keyUrl: string;
  /** Absent = the connect page describes the key in general terms. */
  readonly keyGuide?: KeyGuide;
  /**
   * The kinds of access that our connector supports, always with `read`. Applications can request no others.
   */
  readonly access: readonly AccessKind[];
  /** The reason why the connector does not offer a kind of access, for each kind that is not in `access`. */
  readonly notOffered?: Readonly<Partial<Record<AccessKind, string>>>;
  /**
   * For kinds of access in `access`: the part of the access that the connector does not offer, and the reason; absent =
   * it offers everything.
   */
  readonly partlyOffered?: Readonly<Partial<Record<AccessKind, string>>>;
  /**
   * The longest time in milliseconds after which the exchange's histories and balances show a submission that it has
   * executed; absent = the exchange documents none (`lagOf` has a default).
   */
  readonly lagMs?: number;
  /** Absent = the connector makes no withdrawals. */
  readonly withdrawals?: WithdrawalFacts;
  /** The access that each permission of a key grants. The meaning of permissions that are not listed is unknown. */
  readonly permissionAccess: Readonly<Record<string, readonly AccessKind[]>>;
  /** Whether the sandbox exchange speaks this exchange's protocol, so that test projects can connect to it. */
  readonly hasSandbox: boolean;
  /** Whether the exchange exists only in the sandbox, for test projects. */
  readonly sandboxOnly: boolean;
}
