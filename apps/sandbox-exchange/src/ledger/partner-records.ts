/**
 * The records that only the partner API needs. Like everything in the journal, they are plain JSON. Times are epoch
 * milliseconds.
 */

/** GOOGLE stands for any RFC 6238 authenticator. */
export const verificationMethods = ['GOOGLE', 'EMAIL', 'SMS', 'FACE', 'YUBIKEY', 'PASSPHRASE'] as const;
export type VerificationMethod = (typeof verificationMethods)[number];

export const stepMethods = ['GOOGLE', 'EMAIL', 'SMS', 'FACE'] as const;

export interface VerificationConfig {
  /** `inline`: one method, verified in the withdrawal call itself. The other two modes use a challenge. */
  mode: 'none' | 'inline' | 'step_by_step' | 'all_at_once';
  methods: VerificationMethod[];
  /** AND requires all methods, OR any one. */
  relation: 'AND' | 'OR';
}

/** The settings of an account of the partner API. */
export interface PartnerProfile {
  accountId: string;
  email: string;
  emailVerified: boolean;
  phone: string;
  kyc: 'verified' | 'required';
  verification: VerificationConfig;
  /** Base32; null without an authenticator. */
  totpSecret: string | null;
  /** Withdrawals are refused until then; null for no hold. */
  holdUntil: number | null;
  /** Maximum number of withdrawals in any 60 seconds; null for no limit. */
  withdrawalsPerMinute: number | null;
  /** Maximum number of entries of the address book. */
  addressBookMax: number;
  /** Result of the next face check, set by the control API; only for accounts whose only method is FACE. */
  face: 'success' | 'failure' | null;
}

export const partnerPermissions = ['read', 'withdraw'] as const;
export type PartnerPermission = (typeof partnerPermissions)[number];

export interface PartnerToken {
  token: string;
  accountId: string;
  permissions: PartnerPermission[];
  /** Empty allows every address. */
  ipAllowlist: string[];
  revoked: boolean;
  createdAt: number;
  expiresAt: number | null;
  lastUsedAt: number | null;
  /** The granted scopes, for a token that OAuth issued. */
  scopes?: string[];
}

export interface ChallengeStep {
  method: VerificationMethod;
  status: 'pending' | 'success' | 'failure';
  /** The code that was sent by email or SMS. */
  code: string | null;
}

/** The verification that one withdrawal requires. */
export interface Challenge {
  id: string;
  accountId: string;
  reference: string;
  /** The withdrawal that the challenge was opened for, as canonical text. */
  payload: string;
  /** An `inline` challenge only serves to store a code that was sent: the API never returns such a challenge. */
  mode: 'inline' | 'step_by_step' | 'all_at_once';
  relation: 'AND' | 'OR';
  steps: ChallengeStep[];
  wrongCodes: number;
  lockedAt: number | null;
  openedAt: number;
  expiresAt: number;
}

/** An email or SMS that the exchange has recorded instead of sending. */
export interface Message {
  accountId: string;
  kind: 'email' | 'sms';
  to: string;
  code: string;
  challengeId: string;
  at: number;
}

/** Fields of a withdrawal that came through the partner API. */
export interface PartnerBooking {
  reference: string;
  /** The canonical text that a repeated request must match. */
  payload: string;
  /** The status in which `settle: 'auto'` ends the withdrawal, unless the control API ends it first. */
  end: 'confirmed' | 'failed' | 'canceled';
  /** Additional milliseconds for which the withdrawal stays `requested`. */
  delayMs: number;
  /** Epoch milliseconds until which lists omit the withdrawal; null lists it at once. */
  hiddenUntil: number | null;
}
