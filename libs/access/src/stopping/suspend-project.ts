import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '#platform/clock';
import { Database } from '#platform/database';
import { Audit } from '../audit/audit.js';
import { ApiKeyLookup } from '../keys/api-key-lookup.js';
import type { Project } from '../projects/project.entity.js';
import { Projects } from '../projects/projects.service.js';

/**
 * Suspends and resumes projects. A suspended project is refused by every process within a second. Workers use the
 * credentials of its wallets only to settle open withdrawals and orders.
 */
@Injectable()
export class SuspendProject {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly projects: Projects,
    private readonly audit: Audit,
    private readonly lookup: ApiKeyLookup,
  ) {}

  /** Suspends the project. Repeating the call changes nothing. @param actor for the audit log @throws NotFound */
  suspend(projectId: string, actor: string): Promise<Project> {
    return this.change(projectId, { actor, action: 'project.suspended' }, async (tx) => {
      const changed = await this.db.query(
        `update projects set suspended_at = $2 where id = $1 and suspended_at is null and deleted_at is null returning id`,
        [projectId, this.clock.now()],
        tx,
      );
      return changed.length > 0;
    });
  }

  /** Ends the suspension. Repeating the call changes nothing. @param actor for the audit log @throws NotFound */
  resume(projectId: string, actor: string): Promise<Project> {
    return this.change(projectId, { actor, action: 'project.resumed' }, async (tx) => {
      const changed = await this.db.query(
        `update projects set suspended_at = null
          where id = $1 and suspended_at is not null and deleted_at is null returning id`,
        [projectId],
        tx,
      );
      return changed.length > 0;
    });
  }

  private async change(
    projectId: string,
    { actor, action }: { actor: string; action: string },
    update: (tx: EntityManager) => Promise<boolean>,
  ): Promise<Project> {
    const { organizationId, name } = await this.projects.get(projectId);
    await this.db.transaction(async (tx) => {
      if (!(await update(tx))) return;
      await this.audit.record(tx, { organizationId, projectId, actor, action, subject: projectId, details: { name } });
    });
    this.lookup.forgetAll();
    return await this.projects.get(projectId);
  }
}
