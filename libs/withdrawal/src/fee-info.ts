import { Injectable } from '@nestjs/common';
import type { ProjectContext } from '#access';
import { resolveNetworkId, type WithdrawalNetwork } from '#exchange';
import { NotFound } from '#platform/errors';
import { Wallets } from '#wallet';
import { InfoAssetRequired, InfoFeeExchangeNotSupported, NetworkNotSupported } from './withdrawal.errors.js';
import { WithdrawalNetworks } from './withdrawal-networks.js';

export interface FeeInfo {
  asset: string;
  exchange: string;
  networks: WithdrawalNetwork[];
}

/** Withdrawal fees and bounds of an asset without a quote. */
@Injectable()
export class GetFeeInfo {
  constructor(
    private readonly wallets: Wallets,
    private readonly networks: WithdrawalNetworks,
  ) {}

  async execute(
    project: ProjectContext,
    walletId: string,
    query: { asset?: string; network?: string },
  ): Promise<FeeInfo> {
    if (query.asset === undefined) throw new InfoAssetRequired();
    const asset = query.asset.toUpperCase();
    const wallet = await this.wallets.get(project, walletId);
    const all = await this.networks.list(wallet, { autoDelete: false });
    if (all.length === 0) throw new InfoFeeExchangeNotSupported(wallet.exchange);
    const ofAsset = all.filter((network) => network.asset === asset);
    if (ofAsset.length === 0) throw new NotFound(`Asset ${asset}`);
    if (query.network === undefined) return { asset, exchange: wallet.exchange, networks: ofAsset };
    const id = resolveNetworkId(query.network);
    const named = ofAsset.filter((network) => network.id === id);
    if (named.length === 0)
      throw new NetworkNotSupported(
        asset,
        query.network,
        ofAsset.map((network) => network.id),
      );
    return { asset, exchange: wallet.exchange, networks: named };
  }
}
