import { ExecutedWithOtherTag, TagOfOtherCall } from './execution.errors.js';
import { canSubmit } from './withdrawal-state.js';
import type { Withdrawal } from './withdrawal.entity.js';

/**
 * Checks that a call has the tag of the quote's withdrawal, which no later call can change. Accepts every tag when the
 * withdrawal was refused or its quote expired, because each call then gets this recorded result.
 * @throws ExecutedWithOtherTag when the withdrawal was sent or may have been; TagOfOtherCall when it can still be sent
 */
export function requireSameTag(withdrawal: Withdrawal, tag: string | null): void {
  if (withdrawal.tag === tag || withdrawal.state === 'rejected') return;
  throw canSubmit(withdrawal.state) ? new TagOfOtherCall() : new ExecutedWithOtherTag(withdrawal.transactionId);
}
