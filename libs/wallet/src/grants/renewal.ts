/**
 * Outcome of a request for new tokens that replace the tokens of one revision.
 * - `renewed`: there are new tokens, or the grant is gone; read the credentials again.
 * - `ended`: the exchange has answered that it will issue no more tokens.
 * - `unavailable`: the exchange did not respond, now or a moment ago, which proves nothing.
 * - `busy`: another process is renewing.
 */
export type Renewal = 'renewed' | 'ended' | 'unavailable' | 'busy';
