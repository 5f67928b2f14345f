import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database } from '#platform/database';
import { NotFound } from '#platform/errors';
import type { PageQuery } from '#platform/http';
import type { ProjectIdentity } from './project-identity.js';
import { Project } from './project.entity.js';

/** A project that is neither deleted nor suspended. */
export type ActiveProject = Pick<Project, 'id' | 'organizationId' | 'mode' | 'name'>;

/** Reads projects. */
@Injectable()
export class Projects {
  constructor(private readonly db: Database) {}

  /**
   * Returns a project as workers need it. Deleted projects are found too, because their pending withdrawals must still
   * be settled.
   * @throws NotFound when the project never existed
   */
  async getContext(projectId: string, tx?: EntityManager): Promise<ProjectIdentity> {
    const [found] = await this.db.query<ProjectIdentity>(
      `select id, organization_id as "organizationId", mode from projects where id = $1`,
      [projectId],
      tx,
    );
    if (found === undefined) throw new NotFound('Project');
    return found;
  }

  /** Returns a project that is not deleted. @throws NotFound */
  async get(projectId: string): Promise<Project> {
    const found = await this.db.repository(Project).findOneBy({ id: projectId });
    if (found === null || found.deletedAt !== null) throw new NotFound('Project');
    return found;
  }

  /** Returns a project, also when it is deleted. @throws NotFound when it never existed */
  async getDeletedToo(projectId: string): Promise<Project> {
    const found = await this.db.repository(Project).findOneBy({ id: projectId });
    if (found === null) throw new NotFound('Project');
    return found;
  }

  /** Returns those of the given projects that are neither deleted nor suspended. */
  async listActive(projectIds: readonly string[], tx?: EntityManager): Promise<ActiveProject[]> {
    return await this.db.query<ActiveProject>(
      `select id, organization_id as "organizationId", mode, name from projects
        where id = any($1) and id not in (select id from stopped_projects)`,
      [projectIds],
      tx,
    );
  }

  /** Lists the projects of an organization, the newest first, with deleted ones. */
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
