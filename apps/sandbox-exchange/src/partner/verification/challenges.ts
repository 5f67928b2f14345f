import { z } from 'zod';
import { verificationMethods } from '../../ledger/partner-records.js';
import { challengeRecord, getChallenge, openChallenge, tryCode, unlocked } from './challenge.js';
import { endpoint, ok } from '../handler.js';
import { orderFields, payloadOf, reference, resolveOrder } from '../withdrawals/order.js';
import { PartnerError } from '../partner-error.js';

const CODE_LENGTH_MAX = 200;
export const codeText = z.string().min(1).max(CODE_LENGTH_MAX);

/**
 * Opens a challenge; null for an account that needs none. The exchange checks the balance and the account's state only
 * when the withdrawal is requested.
 */
export const challengeOpen = endpoint({
  permission: 'withdraw',
  body: z.strictObject({ reference, ...orderFields }),
  handler: (call, body) => {
    const { mode } = call.profile.verification;
    resolveOrder(body);
    if (call.exchange.book(call.account).references.has(body.reference)) {
      throw new PartnerError('reference_conflict', 'a withdrawal with this reference is already booked');
    }
    if (mode === 'none' || mode === 'inline') return ok({ challenge: null });
    const challenge = openChallenge(call, { reference: body.reference, payload: payloadOf(body) });
    return ok({ challenge: challengeRecord(challenge, call.profile) });
  },
});

export const challengeRead = endpoint({
  permission: 'read',
  handler: (call) => ok({ challenge: challengeRecord(getChallenge(call, call.id), call.profile) }),
});

export const challengeVerify = endpoint({
  permission: 'withdraw',
  body: z.strictObject({ method: z.enum(verificationMethods), code: codeText }),
  handler: (call, { method, code }) => {
    const challenge = unlocked(getChallenge(call, call.id));
    if (challenge.mode !== 'step_by_step') {
      throw new PartnerError('invalid_request', 'send the codes of this challenge with the withdrawal');
    }
    const step = challenge.steps.find((one) => one.method === method);
    if (step === undefined)
      throw new PartnerError('method_not_in_challenge', `the challenge has no step for ${method}`);
    if (method === 'FACE')
      throw new PartnerError('invalid_request', "confirm FACE in the exchange's own app; it has no code");
    const after = step.status === 'success' ? challenge : tryCode(call, challenge, step, code);
    return ok({ challenge: challengeRecord(after, call.profile) });
  },
});
