import { Injectable } from '@nestjs/common';
import { WALLET_HEADER, type ProjectIdentity } from '#access';
import { PairLists } from '#exchange';
import { Config } from '#platform/config';
import type { CacheDirectives, PreparedResponse } from '#platform/http';
import { Wallets } from '#wallet';
import { CatalogueResponses } from './catalogue-responses.js';
import type { RouteFilter } from './catalogue-view.js';
import { CatalogueNotSupported, ExchangeNotChosen } from './catalogue.errors.js';
import { ReadCatalogue } from './read-catalogue.js';

/** Selects the catalogue. With a wallet, the exchange of the wallet is used and `exchange` is ignored. */
export interface CatalogueChoice {
  externalWalletId: string | null;
  exchange: string | undefined;
}

export interface TradableAssets {
  answer: PreparedResponse;
  fetchedAt: Date;
  /**
   * How long a client may cache the response, counted from `fetchedAt`. Caches subtract the age of the response
   * themselves.
   */
  maxAgeSeconds: number;
}

/** Lists the assets and routes that orders of a project can trade at an exchange. */
@Injectable()
export class FindTradableAssets {
  constructor(
    private readonly wallets: Wallets,
    private readonly pairLists: PairLists,
    private readonly readCatalogue: ReadCatalogue,
    private readonly answers: CatalogueResponses,
    private readonly config: Config,
  ) {}

  /** @throws WalletNotFound, ExchangeNotChosen, CatalogueNotSupported, and the errors of `ReadCatalogue` */
  async execute(
    project: ProjectIdentity,
    choice: CatalogueChoice,
    filter: RouteFilter,
    cache: CacheDirectives,
  ): Promise<TradableAssets> {
    const exchange = await this.exchangeOf(project, choice);
    const catalogue = await this.readCatalogue.execute({ exchange, mode: project.mode }, cache);
    return {
      answer: this.answers.get(catalogue, filter),
      fetchedAt: catalogue.fetchedAt,
      maxAgeSeconds: this.config.constants.CATALOGUE_REFRESH_SECONDS,
    };
  }

  private async exchangeOf(project: ProjectIdentity, { externalWalletId, exchange }: CatalogueChoice): Promise<string> {
    if (externalWalletId !== null) return (await this.wallets.get(project, externalWalletId)).exchange;
    if (exchange === undefined) throw new ExchangeNotChosen(WALLET_HEADER);
    const supported = this.pairLists.exchanges(project.mode);
    if (!supported.includes(exchange)) throw new CatalogueNotSupported(supported);
    return exchange;
  }
}
