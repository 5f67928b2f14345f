/** Credentials in ccxt's notation. Fields that the exchange does not need are absent. */
export interface CcxtCredentials {
  apiKey?: string;
  secret?: string;
  password?: string;
  uid?: string;
  /** A bearer token, instead of all other fields. */
  token?: string;
}
