import type { ErrorCode } from '#platform/errors';

/** What an exchange may say of the account to any call: spread it into `@ApiErrors` of every route that asks one. */
export const accountErrors: readonly ErrorCode[] = [
  'WITHDRAWAL_KYC_REQUIRED',
  'WITHDRAWAL_EMAIL_UNVERIFIED',
  'WITHDRAWAL_2FA_REQUIRED_TOTP',
  'WITHDRAWAL_PROVIDER_ERROR',
];
