import type { SubmitOutcome } from '#exchange';
import { errorCodes } from '#platform/errors';
import type { Refusal } from './withdrawal-ledger.js';

/** An exchange's definite refusal in the words of the interface; its raw code goes along for support. */
export function refusalOf(outcome: Extract<SubmitOutcome, { kind: 'rejected' }>): Refusal {
  return {
    code: outcome.code,
    message: `The exchange refused the withdrawal: ${errorCodes[outcome.code].when}`,
    result: { exchangeCode: outcome.rawCode, ...(outcome.reason === undefined ? {} : { reason: outcome.reason }) },
  };
}
