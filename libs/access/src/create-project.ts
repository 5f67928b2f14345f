import { Injectable } from '@nestjs/common';
import { Clock } from '#platform/clock';
import { Database } from '#platform/database';
import { requireName } from './access-rules.js';
import { Organizations } from './organizations.service.js';
import type { ProjectMode } from './project-context.js';
import { Project } from './project.entity.js';

@Injectable()
export class CreateProject {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly organizations: Organizations,
  ) {}

  /** The mode is for good. @throws ValidationFailed for the name, NotFound for the organization. */
  async execute(input: { organizationId: string; name: string; mode: ProjectMode }): Promise<Project> {
    requireName(input.name);
    const organization = await this.organizations.get(input.organizationId);
    const projects = this.db.repository(Project);
    const project = projects.create({
      id: this.clock.newId(),
      organizationId: organization.id,
      name: input.name,
      mode: input.mode,
      createdAt: this.clock.now(),
      deletedAt: null,
    });
    await projects.insert(project);
    return project;
  }
}
