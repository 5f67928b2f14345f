import type { ProjectContext } from '#access';
import type { ExchangeSession } from '#exchange';
import type { Quote } from '../quote/quote.entity.js';
import type { RecordedRefusal } from '../withdrawals/refusal.js';

/** The withdrawal to verify, and the session to verify it with. */
export interface VerificationSubject {
  session: ExchangeSession;
  project: Pick<ProjectContext, 'id' | 'organizationId'>;
  quote: Quote;
  tag: string | null;
  /** The withdrawal that an earlier call has begun, with its recorded refusal; null = there is none. */
  earlier: RecordedRefusal | null;
  /** Number of codes that the exchange has refused in response to submissions. */
  wrongCodes: number;
  /** Moment until which the call may wait for another call, in epoch milliseconds. */
  deadline: number;
}
