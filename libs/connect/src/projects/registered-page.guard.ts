import { Injectable } from '@nestjs/common';
import { KeylessClientGuard, type ProjectIdentity, type KeylessClient } from '#access';
import { ConnectProjects } from './connect-projects.service.js';

/** Admits the registered pages of projects that allow browser connects. */
@Injectable()
export class RegisteredPageGuard extends KeylessClientGuard {
  readonly refusal =
    'This page may not connect without an API key. Register its origin and switch browser connects on, with ' +
    '`projects connect <projectId> --origin <origin> --browser-connects on` or `PUT /v0/admin/projects/{id}/connect`, ' +
    'and send the headers x-svc-org-id and x-svc-project-id of that project';

  constructor(private readonly connectProjects: ConnectProjects) {
    super();
  }

  admit({ organizationId, projectId, origin }: KeylessClient): Promise<ProjectIdentity | null> {
    return this.connectProjects.findForPage({ organizationId, id: projectId }, origin);
  }
}
