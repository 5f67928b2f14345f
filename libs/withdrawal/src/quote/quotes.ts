import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { Database } from '#platform/database';
import { Quote } from './quote.entity.js';

/** Reads of quotes, always within one wallet of one project. */
@Injectable()
export class Quotes {
  constructor(private readonly db: Database) {}

  /** Null for ids that are malformed, unknown, or of another wallet: indistinguishable. */
  async find(projectId: string, walletId: string, id: string): Promise<Quote | null> {
    return isUUID(id) ? this.db.repository(Quote).findOneBy({ id, projectId, walletId }) : null;
  }
}
