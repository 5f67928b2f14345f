/** The credentials of an account in plain text, for the code that signs its calls. Absent fields are not needed. */
export interface SigningKeys {
  readonly apiKey?: string;
  readonly apiSecret?: string;
  readonly apiPassphrase?: string;
  /** A bearer token, instead of all other fields. */
  readonly token?: string;
}
