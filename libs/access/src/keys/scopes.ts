/** The permissions of an API key. A route requires all scopes that it names. */
export const scopes = ['read', 'kyc', 'quote', 'withdrawal', 'trade', 'deposit', 'delete', 'connect'] as const;

export type Scope = (typeof scopes)[number];
