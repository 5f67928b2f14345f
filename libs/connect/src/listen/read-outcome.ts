import { Injectable } from '@nestjs/common';
import { Clock } from '#platform/clock';
import { Database } from '#platform/database';
import { NotFound } from '#platform/errors';
import { TopicMessages, type TopicMessage } from '#platform/events';

export type OutcomeStatus = 'pending' | 'success' | 'failed';

export interface Outcome {
  status: OutcomeStatus;
  /** The newest of the topic. */
  message: TopicMessage | null;
}

interface SessionRow {
  state: string;
  expires_at: Date;
}

/** What has become of a connect or of a withdrawal, for whoever asks instead of listening. */
@Injectable()
export class ReadOutcome {
  constructor(
    private readonly db: Database,
    private readonly messages: TopicMessages,
    private readonly clock: Clock,
  ) {}

  /** @throws NotFound when there is neither a session nor a message. */
  async execute(organizationId: string, idem: string): Promise<Outcome> {
    // In this order: a session that ends meanwhile is pending with its last message, never ended without it.
    const [session] = await this.db.query<SessionRow>(
      `select state, expires_at from connect_sessions where organization_id = $1 and idem = $2`,
      [organizationId, idem],
    );
    const message = await this.messages.findLast(organizationId, idem);
    // What became of money counts before a connect that has taken the id of a quote as its name.
    const isOfSession = session !== undefined && message?.body.type !== 'withdraw';
    if (isOfSession) return { status: this.statusOf(session), message };
    if (message === null) throw new NotFound('Connect session');
    const { success } = message.body;
    return { status: success === undefined ? 'pending' : success ? 'success' : 'failed', message };
  }

  /** One that is being connected at its end may still succeed. */
  private statusOf({ state, expires_at: expiresAt }: SessionRow): OutcomeStatus {
    if (state === 'connected') return 'success';
    const isOver = state === 'failed' || (state !== 'connecting' && expiresAt <= this.clock.now());
    return isOver ? 'failed' : 'pending';
  }
}
