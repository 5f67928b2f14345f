import { Injectable } from '@nestjs/common';
import { Clock } from '#platform/clock';
import { Database } from '#platform/database';
import { Audit } from '../audit/audit.js';
import { ApiKeyLookup } from '../keys/api-key-lookup.js';
import type { Project } from '../projects/project.entity.js';
import { Projects } from '../projects/projects.service.js';

/** Deletes projects. The deletion is final. */
@Injectable()
export class DeleteProject {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly projects: Projects,
    private readonly audit: Audit,
    private readonly lookup: ApiKeyLookup,
  ) {}

  /**
   * Deletes the project and revokes its keys. Every process refuses it within a second. The workers then erase the
   * credentials, balances and identities of its wallets, and its webhook endpoints. Open withdrawals and orders are
   * still settled, and the history stays. Repeating the call changes nothing.
   * @param actor for the audit log
   * @throws NotFound when the project never existed
   */
  async execute(projectId: string, actor: string): Promise<Project> {
    const { organizationId } = await this.projects.getContext(projectId);
    await this.db.transaction(async (tx) => {
      const now = this.clock.now();
      const [deleted] = await this.db.query<{ name: string }>(
        `update projects set deleted_at = $2 where id = $1 and deleted_at is null returning name`,
        [projectId, now],
        tx,
      );
      if (deleted === undefined) return;
      await this.db.query(
        `update api_keys set revoked_at = $2 where project_id = $1 and (revoked_at is null or revoked_at > $2)`,
        [projectId, now],
        tx,
      );
      const details = { name: deleted.name };
      const action = 'project.deleted';
      await this.audit.record(tx, { organizationId, projectId, actor, action, subject: projectId, details });
    });
    this.lookup.forgetAll();
    return await this.projects.getDeletedToo(projectId);
  }
}
