import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ApiKeys } from '#access';
import { Database } from '#platform/database';
import { ConnectProjects } from '../projects/connect-projects.service.js';
import { NoLongerAllowed } from './connect.errors.js';
import type { ConnectSession } from './session-store.js';

/** Checks whether the application may still connect accounts. It can lose this right while a session is open. */
@Injectable()
export class SessionPermission {
  constructor(
    private readonly db: Database,
    private readonly apiKeys: ApiKeys,
    private readonly connectProjects: ConnectProjects,
  ) {}

  /** Checks in its own transaction that the application may still connect accounts. @throws NoLongerAllowed */
  async check(session: ConnectSession): Promise<void> {
    await this.db.transaction((tx) => this.require(tx, session));
  }

  /**
   * Checks that the application may still connect accounts. Until `tx` ends, this right cannot be revoked.
   * @throws NoLongerAllowed
   */
  async require(tx: EntityManager, { project, apiKeyId, openerOrigin }: ConnectSession): Promise<void> {
    const isValid =
      apiKeyId === null
        ? await this.connectProjects.allowsKeylessFrom(tx, project, openerOrigin)
        : await this.apiKeys.isValid(tx, apiKeyId);
    if (!isValid) throw new NoLongerAllowed();
  }
}
