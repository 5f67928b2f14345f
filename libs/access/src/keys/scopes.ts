/** What an API key may do. An endpoint wants all scopes that it names. */
export const scopes = ['read', 'kyc', 'quote', 'withdrawal', 'trade', 'deposit', 'delete', 'connect'] as const;

export type Scope = (typeof scopes)[number];
