import { Injectable } from '@nestjs/common';
import type { ProjectContext } from '#access';
import type { AssetBalance, WithdrawalNetwork } from '#exchange';
import { Clock } from '#platform/clock';
import { WalletBalances, Wallets, type UseOptions, type Wallet } from '#wallet';
import { WithdrawalNetworks } from './withdrawal-networks.js';

const MINUTE_MS = 60_000;

export interface WithdrawableBalances {
  lastSyncAt: Date;
  balances: { balance: AssetBalance; networks: WithdrawalNetwork[] }[];
}

/** What can be withdrawn from a wallet now, and on which networks. */
@Injectable()
export class WithdrawableBalance {
  constructor(
    private readonly wallets: Wallets,
    private readonly walletBalances: WalletBalances,
    private readonly networks: WithdrawalNetworks,
    private readonly clock: Clock,
  ) {}

  /** @param refreshAfterMinutes stored balances up to this old are good enough; 0 always asks the exchange. */
  async execute(
    project: ProjectContext,
    walletId: string,
    options: UseOptions & { refreshAfterMinutes: number },
  ): Promise<WithdrawableBalances> {
    const wallet = await this.wallets.get(project, walletId);
    const balances = this.isFresh(wallet, options.refreshAfterMinutes)
      ? await this.walletBalances.list(wallet)
      : await this.walletBalances.refresh(wallet, options);
    const networks = await this.networks.list(wallet, options);
    // Read again: a refresh has moved it.
    const { lastSyncAt } = await this.wallets.get(project, walletId);
    return {
      lastSyncAt: lastSyncAt ?? this.clock.now(),
      balances: balances
        .filter(({ free }) => free.isPositive())
        .map((balance) => ({ balance, networks: networks.filter(({ asset }) => asset === balance.asset) })),
    };
  }

  private isFresh({ lastSyncAt }: Wallet, minutes: number): boolean {
    return lastSyncAt !== null && this.clock.now().getTime() - lastSyncAt.getTime() < minutes * MINUTE_MS;
  }
}
