import { Injectable } from '@nestjs/common';
import { formsOf, isCaselessAddress } from '#exchange';
import { Database, type EntityStatement, type NamedStatement } from '#platform/database';
import type { Wallet } from '#wallet';
import { Quote } from './quote.entity.js';

const OF_PROJECT: EntityStatement<Quote> = {
  name: 'quote of a project',
  of: Quote,
  where: 'id = $1 and project_id = $2',
};

const OF_ORGANIZATION: NamedStatement = {
  name: 'quote of an organization',
  text: `select from quotes q join projects p on p.id = q.project_id where q.id = $1 and p.organization_id = $2`,
};

@Injectable()
export class Quotes {
  constructor(private readonly db: Database) {}

  /** Finds a quote of any wallet of the project. @param id a UUID */
  async findOfProject(projectId: string, id: string): Promise<Quote | null> {
    const [quote] = await this.db.readEntities(OF_PROJECT, [id, projectId]);
    return quote ?? null;
  }

  /** Whether a project of the organization has this quote, even when the project is deleted. @param id a UUID */
  async isOfOrganization(organizationId: string, id: string): Promise<boolean> {
    return (await this.db.read(OF_ORGANIZATION, [id, organizationId])).length > 0;
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
