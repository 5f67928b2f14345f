import type { Config } from '#platform/config';

/** An exchange's notice that the history of an account has changed. */
export interface AccountNotice {
  readonly kind: 'deposit' | 'withdrawal';
  /** SHA-256 of each API key and access token of the account. */
  readonly keyDigests: readonly Buffer[];
}

/** The webhooks that an exchange sends to us. */
export interface NoticeDeclaration {
  /** How a webhook is signed. */
  readonly scheme: 'standard_webhooks';
  /** The secret with which webhooks are signed; undefined = the operator has configured none. */
  readonly secret: (config: Config) => string | undefined;
  /**
   * Whether the sandbox exchange sends the webhooks. Such a webhook may concern a test wallet of any exchange, because
   * all test wallets are at the sandbox exchange.
   */
  readonly isSandbox: boolean;
  /** Reads a body with a valid signature; null = the webhook is not about a deposit or withdrawal, and is ignored. */
  readonly read: (body: unknown) => AccountNotice | null;
}
