import type { SubmitOutcome } from '../port/exchange.port.js';
import { rejectionOf, type Acceptance, type Evidence, type RefusalCodes, type Submission } from './submit-evidence.js';

const CODES: RefusalCodes = { rateLimited: 'WITHDRAWAL_RATE_LIMIT_EXCEEDED', otherwise: 'WITHDRAWAL_PROVIDER_ERROR' };

/** The ids of all exchanges are short printable ASCII without spaces. The id is stored, searched for and shown. */
const ID_FORM = /^[!-~]{1,128}$/;

/** Describes the submission of a withdrawal, like `asOrder`. The receipt is the exchange's id of the withdrawal. */
export function asWithdrawal(acceptance: Acceptance<string>): Submission<string, SubmitOutcome> {
  return { acceptance, toOutcome: toSubmitOutcome };
}

function toSubmitOutcome(evidence: Evidence<string>): SubmitOutcome {
  if (evidence.kind === 'accepted') {
    if (!ID_FORM.test(evidence.receipt))
      return { kind: 'unknown', reason: 'the response has an id that no exchange gives', answer: evidence.answer };
    return { kind: 'accepted', exchangeId: evidence.receipt, answer: evidence.answer };
  }
  if (evidence.kind !== 'refused') return evidence;
  const rejected = rejectionOf(evidence, CODES);
  const { code, rawCode, answer } = rejected;
  return code.startsWith('WITHDRAWAL_2FA_REQUIRED')
    ? { kind: 'verification_required', code, rawCode, answer }
    : rejected;
}
