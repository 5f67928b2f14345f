import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Scope } from './scopes.js';

/** The right to speak for one project. The key itself is not here: only its keyed hash, and a hint to tell keys apart. */
@Entity('api_keys')
export class ApiKey {
  @PrimaryColumn({ type: 'uuid' })
  id: string;

  @Column({ type: 'uuid', name: 'project_id' })
  projectId: string;

  @Column({ type: 'text' })
  name: string;

  /** Prefix and last four characters of the key. */
  @Column({ type: 'text' })
  hint: string;

  /** HMAC-SHA256 of the key under API_KEY_PEPPER; left out of ordinary reads. */
  @Column({ type: 'bytea', select: false })
  hash: Buffer;

  @Column({ type: 'text', array: true })
  scopes: Scope[];

  /** Addresses and CIDR ranges that the key works from; empty means everywhere. */
  @Column({ type: 'text', array: true, name: 'ip_allowlist' })
  ipAllowlist: string[];

  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt: Date;

  @Column({ type: 'timestamptz', name: 'expires_at', nullable: true })
  expiresAt: Date | null;

  /** From then on the key is refused; in the future while a rotation overlaps. */
  @Column({ type: 'timestamptz', name: 'revoked_at', nullable: true })
  revokedAt: Date | null;

  /** Up to API_KEY_LAST_USE_INTERVAL_MS behind. */
  @Column({ type: 'timestamptz', name: 'last_used_at', nullable: true })
  lastUsedAt: Date | null;
}
