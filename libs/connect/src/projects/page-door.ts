import { Injectable } from '@nestjs/common';
import { VisitorDoor, type ProjectIdentity, type Visitor } from '#access';
import { ConnectProjects } from './connect-projects.service.js';

/** Lets in the pages that a project has registered, where it lets browsers begin. */
@Injectable()
export class PageDoor extends VisitorDoor {
  constructor(private readonly connectProjects: ConnectProjects) {
    super();
  }

  admit({ organizationId, projectId, origin }: Visitor): Promise<ProjectIdentity | null> {
    return this.connectProjects.findForPage({ organizationId, id: projectId }, origin);
  }
}
