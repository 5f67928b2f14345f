import { Injectable } from '@nestjs/common';
import { KeylessClientGuard, type ProjectIdentity, type KeylessClient } from '#access';
import { ConnectProjects } from './connect-projects.service.js';

/** Admits the registered pages of projects that allow browser connects. */
@Injectable()
export class RegisteredPageGuard extends KeylessClientGuard {
  constructor(private readonly connectProjects: ConnectProjects) {
    super();
  }

  admit({ organizationId, projectId, origin }: KeylessClient): Promise<ProjectIdentity | null> {
    return this.connectProjects.findForPage({ organizationId, id: projectId }, origin);
  }
}
