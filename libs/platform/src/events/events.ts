import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '#platform/clock';
import { Database } from '#platform/database';

/** What a project can be told of. */
export type EventType =
  | 'wallet.created'
  | 'wallet.deleted'
  | 'wallet.balance.updated'
  | 'wallet.credentials.invalid'
  | 'wallet.credentials.valid'
  | 'transaction.created'
  | 'transaction.updated'
  | 'order.updated';

export interface NewEvent {
  projectId: string;
  type: EventType;
  /** What it is about, as the project knows it: a wallet id, a transaction id. */
  subject: string;
  /** Safe to show to the project; times and amounts as in the interface. */
  data: Record<string, unknown>;
}

/** What has happened, written in the transaction that makes it true: either both are there or neither. */
@Injectable()
export class Events {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
  ) {}

  async record(tx: EntityManager, events: readonly NewEvent[]): Promise<void> {
    if (events.length === 0) return;
    const now = this.clock.now();
    await this.db.query(
      `insert into events (id, project_id, type, subject, data, created_at)
       select *, $6 from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::jsonb[])`,
      [
        events.map(() => this.clock.newId()),
        events.map(({ projectId }) => projectId),
        events.map(({ type }) => type),
        events.map(({ subject }) => subject),
        events.map(({ data }) => JSON.stringify(data)),
        now,
      ],
      tx,
    );
  }
}
