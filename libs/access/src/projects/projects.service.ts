import { Injectable } from '@nestjs/common';
import { Database } from '#platform/database';
import { NotFound } from '#platform/errors';
import type { PageQuery } from '#platform/http';
import type { ProjectIdentity } from './project-identity.js';
import { Project } from './project.entity.js';

/** Reads projects. */
@Injectable()
export class Projects {
  constructor(private readonly db: Database) {}

  /**
   * The project as workers need it. Deleted projects are found too, because their pending withdrawals must still be
   * settled.
   * @throws NotFound when the project never existed
   */
  async getContext(projectId: string): Promise<ProjectIdentity> {
    const [found] = await this.db.query<ProjectIdentity>(
      `select id, organization_id as "organizationId", mode from projects where id = $1`,
      [projectId],
    );
    if (found === undefined) throw new NotFound('Project');
    return found;
  }

  /** A project that is not deleted, for issuing keys. @throws NotFound */
  async get(projectId: string): Promise<Project> {
    const found = await this.db.repository(Project).findOneBy({ id: projectId });
    if (found === null || found.deletedAt !== null) throw new NotFound('Project');
    return found;
  }

  /** Newest first, with deleted projects. */
  async list(organizationId: string, { page, limit }: PageQuery): Promise<{ projects: Project[]; totalCount: number }> {
    const [projects, totalCount] = await this.db.repository(Project).findAndCount({
      where: { organizationId },
      order: { createdAt: 'desc', id: 'desc' },
      skip: page * limit,
      take: limit,
    });
    return { projects, totalCount };
  }
}
