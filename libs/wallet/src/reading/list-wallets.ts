import { Injectable } from '@nestjs/common';
import { And, IsNull, LessThan, MoreThanOrEqual, type FindOperator } from 'typeorm';
import type { ProjectIdentity } from '#access';
import { Exchanges, type AssetBalance } from '#exchange';
import { Database } from '#platform/database';
import { ValidationFailed } from '#platform/errors';
import type { WalletWithBalances } from './get-wallet.js';
import { WalletBalances } from '../balances/wallet-balances.service.js';
import { Wallet } from '../wallets/wallet.entity.js';

/** An absent field does not filter. `Since` is inclusive, `Before` exclusive. */
export interface WalletFilter {
  exchange?: string;
  invalidApi?: boolean;
  createdSince?: Date;
  createdBefore?: Date;
  lastSyncSince?: Date;
  lastSyncBefore?: Date;
  /** The first page is 0. */
  page: number;
  limit: number;
}

export interface WalletPage {
  entries: WalletWithBalances[];
  /** Number of matching wallets on all pages. */
  totalCount: number;
}

/** Lists the connected wallets of a project, newest first, as of their last sync; calls no exchange. */
@Injectable()
export class ListWallets {
  constructor(
    private readonly db: Database,
    private readonly exchanges: Exchanges,
    private readonly balances: WalletBalances,
  ) {}

  /**
   * @param options.withBalances false: leaves `balances` empty and saves their query.
   * @throws ValidationFailed with `supportedExchanges` for an unknown exchange.
   */
  async execute(
    project: Pick<ProjectIdentity, 'id'>,
    filter: WalletFilter,
    options: { withBalances: boolean },
  ): Promise<WalletPage> {
    const { exchange, invalidApi, page, limit } = filter;
    if (exchange !== undefined && this.exchanges.find(exchange) === null) throw this.unknownExchange();
    const createdAt = between(filter.createdSince, filter.createdBefore);
    const lastSyncAt = between(filter.lastSyncSince, filter.lastSyncBefore);
    const [wallets, totalCount] = await this.db.repository(Wallet).findAndCount({
      where: {
        projectId: project.id,
        deletedAt: IsNull(),
        ...(exchange !== undefined && { exchange }),
        ...(invalidApi !== undefined && { invalidApi }),
        ...(createdAt !== undefined && { createdAt }),
        ...(lastSyncAt !== undefined && { lastSyncAt }),
      },
      order: { createdAt: 'DESC', id: 'DESC' },
      skip: page * limit,
      take: limit,
    });
    const balances = options.withBalances ? await this.balances.listAll(wallets) : new Map<string, AssetBalance[]>();
    return { entries: wallets.map((wallet) => ({ wallet, balances: balances.get(wallet.id) ?? [] })), totalCount };
  }

  private unknownExchange(): ValidationFailed {
    const supportedExchanges = this.exchanges.specs().map(({ id }) => id);
    const message = `exchange must be one of ${supportedExchanges.join(', ')}, or null`;
    return new ValidationFailed([{ field: 'exchange', message }], { supportedExchanges });
  }
}

function between(since?: Date, before?: Date): FindOperator<Date> | undefined {
  const bounds = [...(since ? [MoreThanOrEqual(since)] : []), ...(before ? [LessThan(before)] : [])];
  return bounds.length === 0 ? undefined : And(...bounds);
}
