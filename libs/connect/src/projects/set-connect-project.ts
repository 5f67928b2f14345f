import { Injectable } from '@nestjs/common';
import { Audit, Projects } from '#access';
import { Clock } from '#platform/clock';
import { Database } from '#platform/database';
import { registrableOrigin, registrableReturnUrl, requireAddresses } from './connect-addresses.js';
import { ConnectProjects, type ConnectProject } from './connect-projects.service.js';

/** Changes the settings of a project for its users' browsers. */
@Injectable()
export class SetConnectProject {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly projects: Projects,
    private readonly connectProjects: ConnectProjects,
    private readonly audit: Audit,
  ) {}

  /**
   * @param actor for the audit log
   * @throws NotFound, ValidationFailed
   */
  async execute(projectId: string, given: ConnectProject, actor: string): Promise<ConnectProject> {
    const origins = requireAddresses('origins', given.origins, registrableOrigin);
    const returnUrls = requireAddresses('returnUrls', given.returnUrls, registrableReturnUrl);
    const { id, organizationId } = await this.projects.get(projectId);
    const { browserConnects, connectAccess } = given;
    await this.db.transaction(async (tx) => {
      await this.db.query(
        `insert into connect_projects (project_id, browser_connects, origins, return_urls, connect_access, updated_at)
         values ($1, $2, $3, $4, $5, $6)
         on conflict (project_id) do update
           set browser_connects = excluded.browser_connects, origins = excluded.origins,
               return_urls = excluded.return_urls, connect_access = excluded.connect_access, updated_at = excluded.updated_at`,
        [id, browserConnects, origins, returnUrls, connectAccess, this.clock.now()],
        tx,
      );
      await this.audit.record(tx, {
        organizationId,
        projectId: id,
        actor,
        action: 'project.connect_changed',
        subject: id,
        details: {
          browserConnects: browserConnects ? 'on' : 'off',
          origins: origins.join(' '),
          returnUrls: returnUrls.join(' '),
          connectAccess: connectAccess?.join(' ') ?? 'default',
        },
      });
    });
    this.connectProjects.forgetOrigins();
    return { browserConnects, origins, returnUrls, connectAccess };
  }
}
