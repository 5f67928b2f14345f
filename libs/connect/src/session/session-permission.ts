import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ApiKeys } from '#access';
import { Database } from '#platform/database';
import { ConnectProjects } from '../projects/connect-projects.service.js';
import { NoLongerAllowed } from './connect.errors.js';
import type { ConnectSession } from './session-store.js';

/** Whether whoever asked for a session may still connect: what gave the right may be taken away while it goes on. */
@Injectable()
export class SessionPermission {
  constructor(
    private readonly db: Database,
    private readonly apiKeys: ApiKeys,
    private readonly connectProjects: ConnectProjects,
  ) {}

  /** As it is now. @throws NoLongerAllowed */
  async check(session: ConnectSession): Promise<void> {
    await this.db.transaction((tx) => this.require(tx, session));
  }

  /** What is found holds until the transaction ends. @throws NoLongerAllowed */
  async require(tx: EntityManager, { project, apiKeyId, openerOrigin }: ConnectSession): Promise<void> {
    const isValid =
      apiKeyId === null
        ? await this.connectProjects.allowsKeylessFrom(tx, project, openerOrigin)
        : await this.apiKeys.isValid(tx, apiKeyId);
    if (!isValid) throw new NoLongerAllowed();
  }
}
