import { Injectable } from '@nestjs/common';
import { Audit, Organizations } from '#access';
import { PauseStore, type StoredPause } from '#exchange';
import { Database } from '#platform/database';

const PAGE = 1_000;

/** Ends the pauses of an exchange early. They concern the calls of every organization, so each one audits it. */
@Injectable()
export class ResumeExchange {
  constructor(
    private readonly db: Database,
    private readonly pauses: PauseStore,
    private readonly organizations: Organizations,
    private readonly audit: Audit,
  ) {}

  /** @returns the pauses that were ended */
  async execute(exchange: string, actor: string): Promise<StoredPause[]> {
    const organizationIds = await this.listOrganizationIds();
    return this.db.transaction(async (tx) => {
      const ended = await this.pauses.end(tx, exchange);
      const [last] = ended;
      if (last === undefined) return [];
      const { of: reach, reason, endsAt } = last;
      const details = { pauses: String(ended.length), reach, reason, until: endsAt.toISOString() };
      const action = 'exchange.resumed';
      for (const organizationId of organizationIds) {
        await this.audit.record(tx, { organizationId, projectId: null, actor, action, subject: exchange, details });
      }
      return ended;
    });
  }

  /** In a fixed order, so that two commands never wait for each other's audit chains. */
  private async listOrganizationIds(): Promise<string[]> {
    const ids: string[] = [];
    for (let page = 0; ; page++) {
      const { organizations } = await this.organizations.list({ page, limit: PAGE });
      ids.push(...organizations.map(({ id }) => id));
      if (organizations.length < PAGE) return ids.sort();
    }
  }
}
