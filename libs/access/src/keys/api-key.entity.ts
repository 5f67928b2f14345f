import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Scope } from './scopes.js';

/** The right to act for one project. The row has only a keyed hash of the key, and a hint that distinguishes keys. */
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

  /** HMAC-SHA256 of the key under API_KEY_PEPPER. Ordinary reads leave it out. */
  @Column({ type: 'bytea', select: false })
  hash: Buffer;

  @Column({ type: 'text', array: true })
  scopes: Scope[];

  /** Addresses and CIDR ranges from which the key works. An empty list allows all addresses. */
  @Column({ type: 'text', array: true, name: 'ip_allowlist' })
  ipAllowlist: string[];

  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt: Date;

  @Column({ type: 'timestamptz', name: 'expires_at', nullable: true })
  expiresAt: Date | null;

  /** The key is refused from this time on. During the overlap of a rotation the time is in the future. */
  @Column({ type: 'timestamptz', name: 'revoked_at', nullable: true })
  revokedAt: Date | null;

  /** When the key was last used. The time is at most a minute out of date. */
  @Column({ type: 'timestamptz', name: 'last_used_at', nullable: true })
  lastUsedAt: Date | null;
}
