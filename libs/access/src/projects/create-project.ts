import { Injectable } from '@nestjs/common';
import { Clock } from '#platform/clock';
import { Database } from '#platform/database';
import { requireName } from './name-rule.js';
import { Audit } from '../audit/audit.js';
import { Organizations } from './organizations.service.js';
import type { ProjectMode } from './project-identity.js';
import { Project } from './project.entity.js';

export interface CreateProjectInput {
  organizationId: string;
  name: string;
  mode: ProjectMode;
  /** The actor for the audit log. */
  actor: string;
}

@Injectable()
export class CreateProject {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly organizations: Organizations,
    private readonly audit: Audit,
  ) {}

  /**
   * Creates a project. Its mode can never change. @throws ValidationFailed for the name, NotFound for the organization
   */
  async execute(input: CreateProjectInput): Promise<Project> {
    requireName(input.name);
    const organization = await this.organizations.get(input.organizationId);
    const project = this.db.repository(Project).create({
      id: this.clock.newId(),
      organizationId: organization.id,
      name: input.name,
      mode: input.mode,
      createdAt: this.clock.now(),
      suspendedAt: null,
      deletedAt: null,
    });
    const { id, organizationId, name, mode } = project;
    await this.db.transaction(async (tx) => {
      await tx.insert(Project, project);
      await this.audit.record(tx, {
        organizationId,
        projectId: id,
        actor: input.actor,
        action: 'project.created',
        subject: id,
        details: { name, mode },
      });
    });
    return project;
  }
}
