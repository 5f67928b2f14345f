import { Injectable } from '@nestjs/common';
import { Database } from '#platform/database';
import { NotFound } from '#platform/errors';
import type { PageQuery } from '#platform/http';
import { Organization } from './organization.entity.js';

/** Reads organizations. */
@Injectable()
export class Organizations {
  constructor(private readonly db: Database) {}

  /** @throws NotFound */
  async get(id: string): Promise<Organization> {
    const found = await this.db.repository(Organization).findOneBy({ id });
    if (found === null) throw new NotFound('Organization');
    return found;
  }

  /** Lists all organizations, the newest first. */
  async list({ page, limit }: PageQuery): Promise<{ organizations: Organization[]; totalCount: number }> {
    const [organizations, totalCount] = await this.db
      .repository(Organization)
      .findAndCount({ order: { createdAt: 'desc', id: 'desc' }, skip: page * limit, take: limit });
    return { organizations, totalCount };
  }
}
