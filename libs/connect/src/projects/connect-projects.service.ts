import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import type { EntityManager } from 'typeorm';
import { Projects, type ProjectIdentity } from '#access';
import type { AccessKind } from '#exchange';
import { Clock } from '#platform/clock';
import { acrossProjects, Database, runForProject } from '#platform/database';

/** The settings of a project for its users' browsers. */
export interface ConnectProject {
  /** Whether pages of its origins may begin a connect session without an API key. */
  browserConnects: boolean;
  /** Origins of the project's pages. */
  origins: string[];
  /** Addresses to which a person may be sent back. */
  returnUrls: string[];
  /**
   * The access of a connect session whose request has no `access`; null = all access that the API keys of the project
   * can use.
   */
  connectAccess: AccessKind[] | null;
  /** The exchanges to which links may lead; null = all. */
  exchanges: string[] | null;
  /** The name on the hosted page; null = the name of the project. */
  displayName: string | null;
  /** The colour of buttons and links on the hosted page, as `#rrggbb`; null = the default colour. */
  color: string | null;
  /** The logo on the hosted page; null = the first letter of the name. */
  logoUrl: string | null;
}

/** The settings of a project that has set none. */
export const noConnectSettings: ConnectProject = {
  browserConnects: false,
  origins: [],
  returnUrls: [],
  connectAccess: null,
  exchanges: null,
  displayName: null,
  color: null,
  logoUrl: null,
};

const SETTINGS = `
  select browser_connects as "browserConnects", origins, return_urls as "returnUrls", connect_access as "connectAccess",
         exchanges, display_name as "displayName", color, logo_url as "logoUrl"
    from connect_projects where project_id = $1`;

/**
 * Longest age of the cached origins. An outdated origin grants no access, because these origins only decide which pages
 * may read a response.
 */
const ORIGINS_CACHE_MS = 5_000;

/** Reads the connect settings of projects. */
@Injectable()
export class ConnectProjects {
  private origins: { byOrigin: Promise<Map<string, Set<string>>>; readAt: number } | null = null;

  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly projects: Projects,
  ) {}

  async get({ id }: Pick<ProjectIdentity, 'id'>): Promise<ConnectProject> {
    const [found] = await this.db.query<ConnectProject>(SETTINGS, [id]);
    return found ?? noConnectSettings;
  }

  /** Locks the settings until `tx` ends, so that a concurrent change waits. Creates the row if there is none. */
  async lock(tx: EntityManager, { id }: Pick<ProjectIdentity, 'id'>): Promise<ConnectProject> {
    await this.db.query(
      `insert into connect_projects (project_id, browser_connects, origins, return_urls, updated_at)
       values ($1, false, '{}', '{}', $2) on conflict do nothing`,
      [id, this.clock.now()],
      tx,
    );
    const [found] = await this.db.query<ConnectProject>(`${SETTINGS} for update`, [id], tx);
    return found ?? noConnectSettings;
  }

  /** Returns the project when pages of this origin may begin a connect session without an API key; else null. */
  async findForPage(project: { organizationId: string; id: string }, origin: string): Promise<ProjectIdentity | null> {
    if (!isUUID(project.id) || !isUUID(project.organizationId)) return null;
    // The caller has only claimed this project, so no other statement may act for it yet.
    const allowed = await runForProject(project.id, () =>
      this.db.query(`select from connect_projects where project_id = $1 and browser_connects and $2 = any(origins)`, [
        project.id,
        origin,
      ]),
    );
    if (allowed.length === 0) return null;
    const [found] = await this.projects.listActive([project.id]);
    return found?.organizationId === project.organizationId.toLowerCase() ? found : null;
  }

  /**
   * Whether pages of this origin may begin a connect session without an API key. A concurrent change of the settings
   * waits for the end of `tx`.
   */
  async allowsKeylessFrom(
    tx: EntityManager,
    { id }: Pick<ProjectIdentity, 'id'>,
    origin: string | null,
  ): Promise<boolean> {
    const allowed = await this.db.query(
      `select from connect_projects
        where project_id = $1 and browser_connects and $2 = any(origins)
          for share`,
      [id, origin],
      tx,
    );
    return allowed.length > 0 && (await this.projects.listActive([id], tx)).length > 0;
  }

  /**
   * Whether a page of this origin may read responses: a project with browser connects must have registered the origin.
   * @param projectId null when the project is unknown, as in a preflight
   */
  async isReadableBy(origin: string, projectId: string | null): Promise<boolean> {
    const now = this.clock.now().getTime();
    if (this.origins === null || this.origins.readAt + ORIGINS_CACHE_MS <= now) {
      const byOrigin = this.readOrigins();
      this.origins = { byOrigin, readAt: now };
      byOrigin.catch(() => this.forgetOrigins());
    }
    const projects = (await this.origins.byOrigin).get(origin);
    return projects !== undefined && (projectId === null || projects.has(projectId));
  }

  /** Applies a change at once in this process. Other processes follow after ORIGINS_CACHE_MS. */
  forgetOrigins(): void {
    this.origins = null;
  }

  private async readOrigins(): Promise<Map<string, Set<string>>> {
    const rows = await acrossProjects(() =>
      this.db.query<{ projectId: string; origin: string }>(
        `select project_id as "projectId", unnest(origins) as origin from connect_projects where browser_connects`,
      ),
    );
    const active = await this.projects.listActive([...new Set(rows.map(({ projectId }) => projectId))]);
    const activeIds = new Set(active.map(({ id }) => id));
    const byOrigin = new Map<string, Set<string>>();
    for (const { projectId, origin } of rows) {
      if (!activeIds.has(projectId)) continue;
      byOrigin.set(origin, (byOrigin.get(origin) ?? new Set()).add(projectId));
    }
    return byOrigin;
  }
}
