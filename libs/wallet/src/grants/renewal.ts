/**
 * Outcome of a request for new tokens in place of those of one revision.
 * - `renewed`: there are new tokens, or the grant is gone; read the credentials again.
 * - `ended`: the exchange has answered that it will issue no more tokens.
 * - `unavailable`: no response, now or a moment ago; this proves nothing.
 * - `busy`: another process is renewing.
 */
export type Renewal = 'renewed' | 'ended' | 'unavailable' | 'busy';
