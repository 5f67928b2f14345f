import type { ProjectContext } from '#access';
import type { ExchangeSession } from '#exchange';
import type { DatabaseTime } from '#platform/database';
import type { Quote } from '../quote/quote.entity.js';
import type { RecordedRefusal } from '../withdrawals/refusal.js';

/** The withdrawal to verify, and the session to verify it with. */
export interface VerificationSubject {
  session: ExchangeSession;
  project: Pick<ProjectContext, 'id' | 'organizationId' | 'mode'>;
  quote: Quote;
  tag: string | null;
  /** The withdrawal that an earlier call has begun, with its recorded refusal; null = there is none. */
  earlier: RecordedRefusal | null;
  /** Number of codes that the exchange has refused in response to submissions. */
  wrongCodes: number;
  /** The database's time, by which all hosts agree who holds the challenge. */
  time: DatabaseTime;
  /** Moment of `time` until which the call may wait for another call, in epoch milliseconds. */
  deadline: number;
}
