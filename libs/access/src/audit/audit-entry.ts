import { createHash } from 'node:crypto';

/** What an entry tells besides its columns; text alone, so that it reads back as it was hashed. */
export type AuditDetails = Readonly<Record<string, string | null>>;

/** Something that somebody did. */
export interface AuditEvent {
  organizationId: string;
  /** null = it concerns the organization as a whole. */
  projectId: string | null;
  /** Who did it: the name that an operator gave, or the way in that was used. */
  actor: string;
  /** `<noun>.<past participle>`, such as `withdrawal.settled`. */
  action: string;
  /** Id of what it was done to. */
  subject: string;
  details: AuditDetails;
}

/** An event as it stands in the chain of its organization. */
export interface AuditEntry extends AuditEvent {
  /** 1, 2, 3 … without a gap. */
  sequence: number;
  at: Date;
}

/** What the first entry of a chain follows. */
export const GENESIS = Buffer.alloc(32);

/** SHA-256 over the hash of the entry before and the entry in a form that has one spelling alone. */
export function hashOf(previous: Buffer, entry: AuditEntry): Buffer {
  return createHash('sha256').update(previous).update(canonical(entry)).digest();
}

function canonical({ organizationId, sequence, projectId, at, actor, action, subject, details }: AuditEntry): string {
  const sorted = Object.entries(details).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([organizationId, sequence, projectId, at.toISOString(), actor, action, subject, sorted]);
}
