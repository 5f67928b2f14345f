import { rejectionOf, type Acceptance, type Evidence, type RefusalCodes, type Submission } from './submit-evidence.js';
import type { OrderOutcome } from '../port/trading.port.js';

const CODES: RefusalCodes = { rateLimited: 'GENERIC_RATE_LIMIT_EXCEEDED', otherwise: 'TRADING_PROVIDER_ERROR' };

/** The result of an accepted order. */
export interface OrderReceipt {
  /** At least one id of the order at the exchange. */
  readonly exchangeIds: string[];
  readonly description: string | null;
}

/** Describes the submission of an order: the responses that accept it, and how evidence becomes an outcome. */
export function asOrder(acceptance: Acceptance<OrderReceipt>): Submission<OrderReceipt, OrderOutcome> {
  return { acceptance, toOutcome: toOrderOutcome };
}

function toOrderOutcome(evidence: Evidence<OrderReceipt>): OrderOutcome {
  if (evidence.kind === 'accepted') return { kind: 'accepted', ...evidence.receipt, answer: evidence.answer };
  return evidence.kind === 'refused' ? rejectionOf(evidence, CODES) : evidence;
}
