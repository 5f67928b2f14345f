import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database } from '#platform/database';
import { toEntry, type AuditRow } from './audit.js';
import { GENESIS, hashOf } from './audit-entry.js';

/** Maximum number of entries that one statement reads. */
const BATCH = 1_000;

/** The first faulty entry of a chain. */
export interface AuditFault {
  sequence: number;
  reason: string;
}

/** The result of verifying the chain of one organization. */
export interface AuditVerdict {
  organizationId: string;
  /** Number of entries, counted from the first, whose sequence and hash are correct. */
  entries: number;
  /**
   * Hash of the last correct entry, in hex. An operator who keeps it elsewhere can detect a chain that was rewritten as
   * a whole.
   */
  head: string;
  fault: AuditFault | null;
}

interface Link {
  sequence: number;
  hash: Buffer;
}

/** Recomputes the hash chains of the audit log. */
@Injectable()
export class VerifyAudit {
  constructor(private readonly db: Database) {}

  /**
   * Verifies the chain of the given organization, or with null the chains of all organizations.
   * @returns an empty list for an organization that does not exist
   */
  async execute(organizationId: string | null): Promise<AuditVerdict[]> {
    const chains = await this.db.query<{ id: string }>(
      `select id from (select id from organizations union select organization_id from audit_chains
                       union select organization_id from audit_entries) c
       where $1::uuid is null or id = $1 order by id`,
      [organizationId],
    );
    const verdicts: AuditVerdict[] = [];
    for (const { id } of chains) verdicts.push(await this.verify(id));
    return verdicts;
  }

  private verify(organizationId: string): Promise<AuditVerdict> {
    return this.db.transaction(async (tx) => {
      // All reads use one snapshot, because entries may be appended during the verification.
      await this.db.query(`set transaction isolation level repeatable read, read only`, [], tx);
      let last: Link = { sequence: 0, hash: GENESIS };
      const verdict = (fault: AuditFault | null): AuditVerdict => {
        return { organizationId, entries: last.sequence, head: last.hash.toString('hex'), fault };
      };
      for (;;) {
        const rows = await this.read(tx, organizationId, last.sequence);
        for (const row of rows) {
          const fault = faultOf(row, last);
          if (fault !== null) return verdict(fault);
          last = { sequence: Number(row.sequence), hash: row.hash };
        }
        if (rows.length < BATCH) break;
      }
      return verdict(await this.faultOfEnd(tx, organizationId, last));
    });
  }

  private read(tx: EntityManager, organizationId: string, after: number): Promise<AuditRow[]> {
    return this.db.query<AuditRow>(
      `select * from audit_entries where organization_id = $1 and sequence > $2 order by sequence limit $3`,
      [organizationId, after, BATCH],
      tx,
    );
  }

  private async faultOfEnd(tx: EntityManager, organizationId: string, last: Link): Promise<AuditFault | null> {
    const [chain] = await this.db.query<{ length: string; head: Buffer }>(
      `select length, head from audit_chains where organization_id = $1`,
      [organizationId],
      tx,
    );
    // The hashes do not show a deletion of the chain and all its entries. Each creation of a project appends an entry,
    // so there must be at least as many entries as the organization has projects.
    const isEmpty = chain === undefined && last.sequence === 0;
    const length = isEmpty ? await this.countProjects(tx, organizationId) : Number(chain?.length ?? 0);
    if (length > last.sequence) return { sequence: last.sequence + 1, reason: 'is missing' };
    if (length < last.sequence) return { sequence: length + 1, reason: 'was added past the end of the chain' };
    if (chain?.head.equals(last.hash) === false) {
      return { sequence: last.sequence, reason: 'is not the last entry that was recorded' };
    }
    return null;
  }

  private async countProjects(tx: EntityManager, organizationId: string): Promise<number> {
    const [row] = await this.db.query<{ count: string }>(
      `select count(*) as count from projects where organization_id = $1`,
      [organizationId],
      tx,
    );
    return Number(row?.count);
  }
}

function faultOf(row: AuditRow, last: Link): AuditFault | null {
  const sequence = last.sequence + 1;
  if (Number(row.sequence) !== sequence) return { sequence, reason: 'is missing' };
  if (!row.previous_hash.equals(last.hash)) return { sequence, reason: 'does not follow the entry before it' };
  if (!row.hash.equals(hashOf(last.hash, toEntry(row))))
    return { sequence, reason: 'was changed after it was recorded' };
  return null;
}
