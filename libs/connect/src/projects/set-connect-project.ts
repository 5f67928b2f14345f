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
   * @param changes absent members are not changed, so a concurrent change of them by another operator stays
   * @param actor for the audit log
   * @throws NotFound, ValidationFailed
   */
  async execute(projectId: string, changes: Partial<ConnectProject>, actor: string): Promise<ConnectProject> {
    const { id, organizationId } = await this.projects.get(projectId);
    const changed = await this.db.transaction(async (tx) => {
      const settings = valid({ ...(await this.connectProjects.lock(tx, { id })), ...changes });
      const { browserConnects, origins, returnUrls, connectAccess, exchanges, displayName, color, logoUrl } = settings;
      await this.db.query(
        `update connect_projects
            set browser_connects = $2, origins = $3, return_urls = $4, connect_access = $5, exchanges = $6,
                display_name = $7, color = $8, logo_url = $9, updated_at = $10
          where project_id = $1`,
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
      return settings;
    });
    this.connectProjects.forgetOrigins();
    return changed;
  }
}

/** Returns the settings without duplicate addresses and exchanges. @throws ValidationFailed naming the field */
function valid(settings: ConnectProject): ConnectProject {
  requireTheme(settings);
  return {
    ...settings,
    origins: requireAddresses('origins', settings.origins, registrableOrigin),
    returnUrls: requireAddresses('returnUrls', settings.returnUrls, registrableReturnUrl),
    exchanges: requireExchanges(settings.exchanges),
  };
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
