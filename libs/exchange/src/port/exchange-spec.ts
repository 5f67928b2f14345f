import type { AccessKind } from './authorization.port.js';
import type { ExchangeCredentials, SubmissionClass } from './exchange.port.js';

export type CredentialField = keyof ExchangeCredentials;

/** Help for a person who creates a key and enters it. */
export interface KeyGuide {
  /** The exchange's names of the permissions to tick, by access; absent = they are not known. */
  readonly permissions?: Readonly<Record<AccessKind, readonly string[]>>;
  /** Every permission includes reading, and those of `read` are only for keys that need no other one. */
  readonly readsWithAll?: true;
  /** The exchange's own names of the fields. */
  readonly fieldNames?: Readonly<Partial<Record<CredentialField, string>>>;
  /** The form of a whole field; absent = printable ASCII without spaces. It finds copying errors. */
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
   * The exchange promises to book nothing for a request after a moment that the request states; absent = it makes no such
   * promise.
   */
  readonly keepsDeadline?: true;
  /** The page of the exchange's documentation from which these facts follow. */
  readonly evidence: string;
  /**
   * `estimated`: the exchange states a fee only after the withdrawal. Quotes have the operator's estimate
   * (WITHDRAWAL_FEE_ESTIMATES), and without one there are no withdrawals. Absent = the exchange states fees beforehand.
   */
  readonly fee?: 'estimated';
}

/** A regional site of an exchange. A key is valid at the site that issued it only. */
export interface Region {
  /** Lower-case identifier. */
  readonly id: string;
  /** The name that owners know. */
  readonly name: string;
  /** Base address of its API. */
  readonly url: string;
}

/** The facts about an exchange that callers may see. */
export interface ExchangeSpec {
  /** Lower-case identifier, as in paths and in `wallet.exchange`. */
  readonly id: string;
  readonly name: string;
  readonly docsUrl: string;
  /**
   * The credentials that a person enters to connect by key. An authorized account may have a bearer token as `apiKey`
   * only.
   */
  readonly credentialFields: readonly CredentialField[];
  /** The regional sites, the usual one first; absent = there is one site. */
  readonly regions?: readonly Region[];
  /** The page where the owner creates such a key. */
  readonly keyUrl: string;
  /** Absent = the connect page describes the key in general terms. */
  readonly keyGuide?: KeyGuide;
  /**
   * The kinds of access that our connector supports, and so all that an application can request; always contains
   * `read`.
   */
  readonly access: readonly AccessKind[];
  /** Why the connector does not offer a kind of access; for each kind that is not in `access`. */
  readonly notOffered?: Readonly<Partial<Record<AccessKind, string>>>;
  /** The part of a kind of access in `access` that the connector does not offer, and why; absent = it offers all. */
  readonly partlyOffered?: Readonly<Partial<Record<AccessKind, string>>>;
  /** Absent = the connector makes no withdrawals. */
  readonly withdrawals?: WithdrawalFacts;
  /** The access that each permission of a key grants. The meaning of permissions that are not listed is unknown. */
  readonly permissionAccess: Readonly<Record<string, readonly AccessKind[]>>;
  /** Countries (ISO 3166-1 alpha-2) from which the exchange is not offered. */
  readonly countriesExcluded: readonly string[];
  /** Whether the sandbox exchange speaks this exchange's protocol, so that test projects can connect to it. */
  readonly hasSandbox: boolean;
  /** Whether the exchange exists only in the sandbox, for test projects. */
  readonly sandboxOnly: boolean;
}
