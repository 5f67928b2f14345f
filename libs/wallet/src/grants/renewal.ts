/**
 * What came of asking for other tokens than those of one revision.
 * - `renewed`: there are others, or there is no such grant any more: look again.
 * - `ended`: the exchange's definite word that there will be none.
 * - `unavailable`: no answer, now or a moment ago; proves nothing.
 * - `busy`: somebody else is asking.
 */
export type Renewal = 'renewed' | 'ended' | 'unavailable' | 'busy';
