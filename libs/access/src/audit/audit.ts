import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '#platform/clock';
import { Database } from '#platform/database';
import type { PageQuery } from '#platform/http';
import { GENESIS, hashOf, type AuditDetails, type AuditEntry, type AuditEvent } from './audit-entry.js';

/** A row of `audit_entries`. */
export interface AuditRow {
  organization_id: string;
  sequence: string;
  project_id: string | null;
  at: Date;
  actor: string;
  action: string;
  subject: string;
  details: AuditDetails;
  previous_hash: Buffer;
  hash: Buffer;
}

/** The audit log: one append-only chain of hashes for each organization. */
@Injectable()
export class Audit {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
  ) {}

  /**
   * Appends an entry in the transaction of the action: the entry is stored only if the action is committed.
   * Until `tx` ends, other transactions that append an entry for the organization wait. Lock all other rows before this
   * call, so that no deadlock is possible.
   */
  async record(tx: EntityManager, event: AuditEvent): Promise<void> {
    const { organizationId } = event;
    await this.db.query(
      `insert into audit_chains (organization_id, length, head) values ($1, 0, $2) on conflict do nothing`,
      [organizationId, GENESIS],
      tx,
    );
    const [chain] = await this.db.query<{ length: string; head: Buffer }>(
      `select length, head from audit_chains where organization_id = $1 for no key update`,
      [organizationId],
      tx,
    );
    if (chain === undefined) throw new Error(`the organization ${organizationId} has no audit chain`);
    const entry = { ...storable(event), sequence: Number(chain.length) + 1, at: this.clock.now() };
    const hash = hashOf(chain.head, entry);
    const { projectId, actor, action, subject, details, sequence, at } = entry;
    await this.db.query(
      `insert into audit_entries (organization_id, sequence, project_id, at, actor, action, subject, details,
         previous_hash, hash)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
      [organizationId, sequence, projectId, at, actor, action, subject, JSON.stringify(details), chain.head, hash],
      tx,
    );
    await this.db.query(
      `update audit_chains set length = $2, head = $3 where organization_id = $1`,
      [organizationId, sequence, hash],
      tx,
    );
  }

  /** Lists the entries of an organization, the newest first. */
  async list(organizationId: string, { page, limit }: PageQuery): Promise<AuditEntry[]> {
    const rows = await this.db.query<AuditRow>(
      `select * from audit_entries where organization_id = $1 order by sequence desc offset $2 limit $3`,
      [organizationId, page * limit, limit],
    );
    return rows.map(toEntry);
  }
}

export function toEntry(row: AuditRow): AuditEntry {
  const { organization_id: organizationId, sequence, project_id: projectId, at, actor, action, subject, details } = row;
  return { organizationId, sequence: Number(sequence), projectId, at, actor, action, subject, details };
}

/**
 * Removes NUL and replaces unpaired surrogates, which PostgreSQL cannot store. The hash then covers the text that is
 * read back.
 */
function storable({ actor, subject, details, ...event }: AuditEvent): AuditEvent {
  const cleaned = Object.entries(details).map(([key, value]) => [key, value === null ? null : clean(value)] as const);
  return { ...event, actor: clean(actor), subject: clean(subject), details: Object.fromEntries(cleaned) };
}

function clean(text: string): string {
  return Buffer.from(text.replaceAll('\0', ''), 'utf8').toString('utf8');
}
