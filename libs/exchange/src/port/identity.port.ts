/** Who owns the account, as the exchange tells it; null = it does not. */
export interface AccountIdentity {
  fullName: string | null;
  email: string | null;
  /** As the exchange tells it. Kraken's is the number of the account with Kraken, by which no bank can be paid. */
  iban: string | null;
  /** ISO 3166-1 alpha-2. */
  country: string | null;
}

/** What an exchange tells about a person who has authorized it. Moves nothing. */
export interface IdentityCapability {
  /** @throws ExchangeError */
  read(): Promise<AccountIdentity>;
}
