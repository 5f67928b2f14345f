import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ProjectMode } from './project-identity.js';

/** The owner of wallets, quotes and withdrawals. Projects cannot see each other's data. */
@Entity('projects')
export class Project {
  @PrimaryColumn({ type: 'uuid' })
  id: string;

  @Column({ type: 'uuid', name: 'organization_id' })
  organizationId: string;

  @Column({ type: 'text' })
  name: string;

  @Column({ type: 'text' })
  mode: ProjectMode;

  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt: Date;

  /** Requests for the project are refused and its wallets are not read from this time on; null = it is active. */
  @Column({ type: 'timestamptz', name: 'suspended_at', nullable: true })
  suspendedAt: Date | null;

  /** The keys of the project are refused from this time on. */
  @Column({ type: 'timestamptz', name: 'deleted_at', nullable: true })
  deletedAt: Date | null;
}
