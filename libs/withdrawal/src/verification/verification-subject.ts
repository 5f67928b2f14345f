import type { ProjectContext } from '#access';
import type { ExchangeSession } from '#exchange';
import type { Quote } from '../quote/quote.entity.js';
import type { Withdrawal } from '../execution/withdrawal.entity.js';

/** The withdrawal that is to be verified, and where. */
export interface VerificationSubject {
  session: ExchangeSession;
  project: Pick<ProjectContext, 'id' | 'organizationId'>;
  quote: Quote;
  tag: string | null;
  /** What has become of the quote so far. */
  earlier: Withdrawal | null;
  /** Codes of it that the exchange has refused in answer to submissions. */
  wrongCodes: number;
  /** Epoch milliseconds until which the call may wait for another one. */
  deadline: number;
}
