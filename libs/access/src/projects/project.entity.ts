import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ProjectMode } from './project-identity.js';

/** What wallets, quotes and withdrawals belong to; nothing is visible across projects. */
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

  /** From then on its keys are refused. */
  @Column({ type: 'timestamptz', name: 'deleted_at', nullable: true })
  deletedAt: Date | null;
}
