import { Injectable } from '@nestjs/common';
import { Audit, Projects } from '#access';
import { exchangeIds } from '#exchange';
import { Clock } from '#platform/clock';
import { Database } from '#platform/database';
import { ValidationFailed } from '#platform/errors';
import { isLogoAddress, registrableOrigin, registrableReturnUrl, requireAddresses } from './connect-addresses.js';
import { ConnectProjects, type ConnectProject } from './connect-projects.service.js';

/** Maximum number of characters of the name on the hosted page. */
export const DISPLAY_NAME_MAX = 100;
const COLOR = /^#[0-9a-f]{6}$/;

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
    const { browserConnects, connectAccess, displayName, color, logoUrl } = given;
    const exchanges = requireExchanges(given.exchanges);
    requireTheme(given);
    await this.db.transaction(async (tx) => {
      await this.db.query(
        `insert into connect_projects (project_id, browser_connects, origins, return_urls, connect_access, exchanges,
                                       display_name, color, logo_url, updated_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
         on conflict (project_id) do update
           set browser_connects = excluded.browser_connects, origins = excluded.origins,
               return_urls = excluded.return_urls, connect_access = excluded.connect_access, exchanges = excluded.exchanges,
               display_name = excluded.display_name, color = excluded.color, logo_url = excluded.logo_url,
               updated_at = excluded.updated_at`,
        [
          ...[id, browserConnects, origins, returnUrls, connectAccess],
          ...[exchanges, displayName, color, logoUrl, this.clock.now()],
        ],
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
          exchanges: exchanges?.join(' ') ?? 'all',
          displayName,
          color,
          logoUrl,
        },
      });
    });
    this.connectProjects.forgetOrigins();
    return { browserConnects, origins, returnUrls, connectAccess, exchanges, displayName, color, logoUrl };
  }
}

/** @throws ValidationFailed naming the field */
function requireTheme({ displayName, color, logoUrl }: ConnectProject): void {
  const isLogo = logoUrl === null || isLogoAddress(logoUrl);
  const failures = [
    ...(displayName === null || isDisplayName(displayName)
      ? []
      : [{ field: 'displayName', message: `displayName must have 1 to ${DISPLAY_NAME_MAX} characters` }]),
    ...(color === null || COLOR.test(color)
      ? []
      : [{ field: 'color', message: 'color must be #rrggbb in lower case' }]),
    ...(isLogo
      ? []
      : [
          { field: 'logoUrl', message: 'logoUrl must be an https address whose host is a plain name or an IP address' },
        ]),
  ];
  if (failures.length > 0) throw new ValidationFailed(failures);
}

const isDisplayName = (text: string): boolean => text.trim() !== '' && text.length <= DISPLAY_NAME_MAX;

/** @throws ValidationFailed */
function requireExchanges(given: string[] | null): string[] | null {
  if (given === null || given.every((id) => exchangeIds.includes(id)))
    return given === null ? null : [...new Set(given)];
  const message = `exchanges must each be one of ${exchangeIds.join(', ')}`;
  throw new ValidationFailed([{ field: 'exchanges', message }]);
}
