/** The account's owner; null = the exchange does not report the field. */
export interface AccountIdentity {
  fullName: string | null;
  email: string | null;
  /** The exchange's number of the account. It may work only within the exchange, not for bank transfers. */
  iban: string | null;
  /** ISO 3166-1 alpha-2. */
  country: string | null;
}

/** Reads what the exchange reports about the account's owner. */
export interface IdentityCapability {
  read(): Promise<AccountIdentity>;
}
