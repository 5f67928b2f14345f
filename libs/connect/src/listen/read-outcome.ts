import { Injectable } from '@nestjs/common';
import { Clock } from '#platform/clock';
import { acrossProjects, Database } from '#platform/database';
import { NotFound } from '#platform/errors';
import { TopicMessages, type TopicMessage, type TopicMessageBody } from '#platform/events';

export type OutcomeStatus = 'pending' | 'success' | 'failed';

export interface Outcome {
  status: OutcomeStatus;
  /** The newest message of the withdrawal, or of the connect session. */
  message: TopicMessage | null;
}

interface SessionRow {
  state: string;
  expires_at: Date;
}

/** Returns the outcome of a connect or of a withdrawal, for clients that poll instead of listening. */
@Injectable()
export class ReadOutcome {
  constructor(
    private readonly db: Database,
    private readonly messages: TopicMessages,
    private readonly clock: Clock,
  ) {}

  /** @throws NotFound when the topic has neither a session nor a message, or its project is suspended or deleted */
  async execute(organizationId: string, idem: string): Promise<Outcome> {
    // The session is read before the message. When the session ends between the two reads, the result is `pending` with
    // the last message. The opposite order could return a final status without the message about it.
    const [session] = await acrossProjects(() =>
      this.db.query<SessionRow>(
        `select state, expires_at from connect_sessions where organization_id = $1 and idem = $2
          and not exists (select from stopped_projects s where s.id = project_id)`,
        [organizationId, idem],
      ),
    );
    const message = await this.messages.findOutcome(organizationId, idem);
    // The outcome of a withdrawal takes precedence over a connect session whose idem is the id of the quote.
    const isOfSession = session !== undefined && message?.body.type !== 'withdraw';
    if (isOfSession) return { status: this.statusOf(session), message };
    if (message === null) throw new NotFound('Connect session or message of a withdrawal');
    return { status: statusOf(message.body), message };
  }

  /** Returns the status of a session. A session that is being connected when it expires may still succeed. */
  private statusOf({ state, expires_at: expiresAt }: SessionRow): OutcomeStatus {
    if (state === 'connected') return 'success';
    const isOver = state === 'failed' || (state !== 'connecting' && expiresAt <= this.clock.now());
    return isOver ? 'failed' : 'pending';
  }
}

/** Returns the status that a message gives. A dry run is never an outcome, so the status stays `pending`. */
function statusOf(body: TopicMessageBody): OutcomeStatus {
  if (body.success === undefined || (body.type === 'withdraw' && body.step === 'dry_run')) return 'pending';
  return body.success ? 'success' : 'failed';
}
