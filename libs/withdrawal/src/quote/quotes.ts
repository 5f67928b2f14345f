import { Injectable } from '@nestjs/common';
import { formsOf, isCaselessAddress } from '#exchange';
import { acrossProjects, Database, type EntityStatement, type NamedStatement } from '#platform/database';
import type { OwnedTopic, TopicName } from '#platform/events';
import type { Wallet } from '#wallet';
import { Quote } from './quote.entity.js';

const OF_PROJECT: EntityStatement<Quote> = {
  name: 'quote of a project',
  of: Quote,
  where: 'id = $1 and project_id = $2',
};

const OF_ORGANIZATIONS: NamedStatement = {
  name: 'quotes of organizations',
  text: `select wanted.organization_id as "organizationId", wanted.topic, p.id as "projectId"
         from unnest($1::uuid[], $2::text[]) as wanted (organization_id, topic)
         join quotes q on q.id = wanted.topic::uuid
         join projects p on p.id = q.project_id and p.organization_id = wanted.organization_id`,
};

@Injectable()
export class Quotes {
  constructor(private readonly db: Database) {}

  /** Finds a quote of any wallet of the project. @param id a UUID */
  async findOfProject(projectId: string, id: string): Promise<Quote | null> {
    const [quote] = await this.db.readEntities(OF_PROJECT, [id, projectId]);
    return quote ?? null;
  }

  /**
   * Returns those of the topics that are the id of a quote of the same organization, also of a deleted project.
   * @param topics with UUIDs as topics
   */
  async topicsAmong(topics: readonly TopicName[]): Promise<OwnedTopic[]> {
    if (topics.length === 0) return [];
    const wanted = [topics.map(({ organizationId }) => organizationId), topics.map(({ topic }) => topic)];
    return await acrossProjects(() => this.db.read<OwnedTopic>(OF_ORGANIZATIONS, wanted));
  }

  /**
   * Finds a tag that a quote or an execution of this wallet has used with this address or another form of it; null = no
   * tag was used. The search uses the caller's wallet id, so that a wallet that was deleted and connected again keeps
   * its tags.
   */
  async findUsedTag(
    { projectId, externalId: externalWalletId }: Pick<Wallet, 'projectId' | 'externalId'>,
    { asset, network, address }: Pick<Quote, 'asset' | 'network' | 'address'>,
  ): Promise<string | null> {
    const forms = formsOf(address);
    const caseless = forms.filter(isCaselessAddress);
    const [lower, lowerCaseless] = [forms, caseless].map((each) => each.map((form) => form.toLowerCase()));
    const ofWallet = (table: string): string =>
      `(select tag from ${table} where wallet_id = w.id and asset = $3 and network = $4 and tag is not null
           and lower(address) = any($5) and (address = any($6) or lower(address) = any($7)) limit 1)`;
    const [row] = await this.db.query<{ tag: string }>(
      `select used.tag from wallets w
       cross join lateral (${ofWallet('quotes')} union all ${ofWallet('withdrawals')}) used
       where w.project_id = $1 and w.external_id = $2 limit 1`,
      [projectId, externalWalletId, asset, network, lower, forms, lowerCaseless],
    );
    return row?.tag ?? null;
  }
}
