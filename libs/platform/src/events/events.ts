import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '#platform/clock';
import { Database, toStorableJson, type NamedStatement } from '#platform/database';

/** The types of events that a project can receive. */
export type EventType =
  | 'wallet.created'
  | 'wallet.deleted'
  | 'wallet.balance.updated'
  | 'wallet.credentials.invalid'
  | 'wallet.credentials.valid'
  | 'quote.created'
  | 'withdrawal.submitted'
  | 'withdrawal.verification_required'
  | 'withdrawal.completed'
  | 'withdrawal.failed'
  | 'withdrawal.unknown'
  | 'withdrawal.reopened'
  | 'transaction.created'
  | 'transaction.updated'
  | 'order.updated'
  | 'webhook_endpoint.disabled';

export interface NewEvent {
  projectId: string;
  type: EventType;
  /** The id of the changed object as the project knows it, such as a wallet id or a transaction id. */
  subject: string;
  /**
   * Content for the project, without secrets. Times and amounts have the form of the interface. An event with a
   * `walletId` (the caller's id) gets the next number of that wallet.
   */
  data: Record<string, unknown> & { walletId?: string };
}

const RECORD: NamedStatement = {
  name: 'record events',
  text: `insert into events (id, project_id, type, subject, data, created_at)
         select *, $6 from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::jsonb[])`,
};

/** Records events in the transaction of the change that they report, so that both are committed or neither. */
@Injectable()
export class Events {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
  ) {}

  async record(tx: EntityManager, events: readonly NewEvent[]): Promise<void> {
    if (events.length === 0) return;
    const now = this.clock.now();
    await this.db.read(
      RECORD,
      [
        events.map(() => this.clock.newId()),
        events.map(({ projectId }) => projectId),
        events.map(({ type }) => type),
        events.map(({ subject }) => subject),
        events.map(({ data }) => toStorableJson(data)),
        now,
      ],
      tx,
    );
  }
}
