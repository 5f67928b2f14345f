/** What the partner API remembers beside the ledger: plain JSON, like everything in the journal. Times are epoch milliseconds. */

/** GOOGLE is any RFC 6238 authenticator. */
export const verificationMethods = ['GOOGLE', 'EMAIL', 'SMS', 'FACE', 'YUBIKEY', 'PASSPHRASE'] as const;
export type VerificationMethod = (typeof verificationMethods)[number];

export const stepMethods = ['GOOGLE', 'EMAIL', 'SMS', 'FACE'] as const;

export interface VerificationConfig {
  /** `inline`: one method, with the withdrawal itself; the other two: by a challenge. */
  mode: 'none' | 'inline' | 'step_by_step' | 'all_at_once';
  methods: VerificationMethod[];
  /** AND: all of them; OR: any one. */
  relation: 'AND' | 'OR';
}

/** What makes an account one of the partner API. */
export interface PartnerProfile {
  accountId: string;
  email: string;
  emailVerified: boolean;
  phone: string;
  kyc: 'verified' | 'required';
  verification: VerificationConfig;
  /** Base32; null = no authenticator. */
  totpSecret: string | null;
  /** Until then nothing leaves. */
  holdUntil: number | null;
  /** Bookings in any 60 seconds; null = as many as anybody likes. */
  withdrawalsPerMinute: number | null;
  /** Entries of the address book. */
  addressBookMax: number;
  /** Of an account whose only factor is FACE: what the control API said about the next withdrawal. */
  face: 'success' | 'failure' | null;
}

export const partnerPermissions = ['read', 'withdraw'] as const;
export type PartnerPermission = (typeof partnerPermissions)[number];

export interface PartnerToken {
  token: string;
  accountId: string;
  permissions: PartnerPermission[];
  /** Empty = from anywhere. */
  ipAllowlist: string[];
  revoked: boolean;
  createdAt: number;
  expiresAt: number | null;
  lastUsedAt: number | null;
  /** Of a token that a grant brought: what was granted. */
  scopes?: string[];
}

export interface ChallengeStep {
  method: VerificationMethod;
  status: 'pending' | 'success' | 'failure';
  /** That was sent by e-mail or SMS. */
  code: string | null;
}

/** What has to be verified before one withdrawal is booked. */
export interface Challenge {
  id: string;
  accountId: string;
  reference: string;
  /** The withdrawal it was opened for, in one text. */
  payload: string;
  /** `inline` ones are the exchange's own memory of a code that it sent; nobody reads them. */
  mode: 'inline' | 'step_by_step' | 'all_at_once';
  relation: 'AND' | 'OR';
  steps: ChallengeStep[];
  wrongCodes: number;
  lockedAt: number | null;
  openedAt: number;
  expiresAt: number;
}

/** An e-mail or SMS that the exchange "sent". */
export interface Message {
  accountId: string;
  kind: 'email' | 'sms';
  to: string;
  code: string;
  challengeId: string;
  at: number;
}

/** What a withdrawal has more when it came by the partner API. */
export interface PartnerBooking {
  reference: string;
  /** What a repeat has to say again, in one text. */
  payload: string;
  /** How it ends when nobody moves it. */
  end: 'confirmed' | 'failed' | 'canceled';
  /** Stays `requested` this much longer. */
  delayMs: number;
  /** Not listed before; null = listed at once. */
  hiddenUntil: number | null;
}
