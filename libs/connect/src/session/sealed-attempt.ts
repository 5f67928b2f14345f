import type { CredentialField } from '#exchange';
import type { KeyWarning } from './connect-view.js';

/** The data that are sealed while a person is at the exchange's own page (state `authorizing`). */
export interface SentToExchange {
  state: string;
  codeVerifier: string;
  redirectUri: string;
}

/** The data that are sealed while a pasted key waits for the person's confirmation (state `confirming`). */
export interface WaitingKey {
  apiKey: string;
  /** The other fields of the credentials. */
  others: Partial<Record<CredentialField, string>>;
  warning: KeyWarning;
}

/** The data that are sealed while the page shows the QR code of a login (state `scanning`). */
export interface ShownQrCode {
  id: string;
  content: string;
  /** ISO 8601. */
  expiresAt: string;
  /** Number of QR codes of this attempt that expired before this one. */
  renewals: number;
}
