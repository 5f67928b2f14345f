/** The account's owner; null = the exchange does not report the field. */
export interface AccountIdentity {
  fullName: string | null;
  email: string | null;
  /** The exchange's number of the account. It may be valid only within the exchange, and not for bank transfers. */
  iban: string | null;
  /** The country as an ISO 3166-1 alpha-2 code. */
  country: string | null;
}

/** Reads the facts that the exchange reports about the account's owner. */
export interface IdentityCapability {
  read(): Promise<AccountIdentity>;
}
