import { createHash } from 'node:crypto';

/** Further facts of an entry. The values are text only, so that they read back exactly as they were hashed. */
export type AuditDetails = Readonly<Record<string, string | null>>;

/** An action of a person or a program, for the audit log. */
export interface AuditEvent {
  organizationId: string;
  /** null means that the action concerns the organization as a whole. */
  projectId: string | null;
  /** The person or program that acted: a name that the operator gave, or the interface that was used. */
  actor: string;
  /** `<noun>.<past participle>`, such as `withdrawal.settled`. */
  action: string;
  /** Id of the object of the action. */
  subject: string;
  details: AuditDetails;
}

/** An event with its position in the chain of its organization. */
export interface AuditEntry extends AuditEvent {
  /** Counts 1, 2, 3 … without a gap. */
  sequence: number;
  at: Date;
}

/** The previous hash of the first entry of a chain. */
export const GENESIS = Buffer.alloc(32);

/** SHA-256 over the hash of the previous entry and the canonical JSON of this entry. */
export function hashOf(previous: Buffer, entry: AuditEntry): Buffer {
  return createHash('sha256').update(previous).update(canonical(entry)).digest();
}

function canonical({ organizationId, sequence, projectId, at, actor, action, subject, details }: AuditEntry): string {
  const sorted = Object.entries(details).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([organizationId, sequence, projectId, at.toISOString(), actor, action, subject, sorted]);
}
