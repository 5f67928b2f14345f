import { Injectable } from '@nestjs/common';
import type { ProjectContext } from '#access';
import type { AssetBalance, WithdrawalNetwork } from '#exchange';
import { dollarValue, Prices } from '#market';
import type { Amount } from '#money';
import { Clock } from '#platform/clock';
import { WalletBalances, Wallets, WalletSessions, type UseOptions, type Wallet } from '#wallet';

const MINUTE_MS = 60_000;

export interface WithdrawableAsset {
  balance: AssetBalance;
  /** The free balance in US dollars; null = no price is known. */
  freeInFiat: Amount | null;
  networks: WithdrawalNetwork[];
}

export interface WithdrawableBalances {
  lastSyncAt: Date;
  balances: WithdrawableAsset[];
}

/** What can be withdrawn from a wallet now, and on which networks. */
@Injectable()
export class WithdrawableBalance {
  constructor(
    private readonly wallets: Wallets,
    private readonly walletBalances: WalletBalances,
    private readonly sessions: WalletSessions,
    private readonly prices: Prices,
    private readonly clock: Clock,
  ) {}

  /**
   * @param options.refreshAfterMinutes stored balances younger than this are good enough; 0 always asks the exchange.
   * @throws the errors of `Wallets.get` and of `WalletSessions.use`.
   */
  async execute(
    project: ProjectContext,
    walletId: string,
    options: UseOptions & { refreshAfterMinutes: number },
  ): Promise<WithdrawableBalances> {
    const wallet = await this.wallets.get(project, walletId);
    const balances = this.isFresh(wallet, options.refreshAfterMinutes)
      ? await this.walletBalances.list(wallet)
      : await this.walletBalances.refresh(wallet, options);
    // One question for all assets; the session keeps the answer for EXCHANGE_METADATA_TTL_SECONDS.
    const networks = await this.sessions.use(
      wallet,
      options,
      async (session) => (await session.withdrawals?.networks()) ?? [],
    );
    // Read again: a refresh has moved it.
    const { lastSyncAt } = await this.wallets.get(project, walletId);
    return {
      lastSyncAt: lastSyncAt ?? this.clock.now(),
      balances: balances
        .filter(({ free }) => free.isPositive())
        .map((balance) => ({
          balance,
          freeInFiat: dollarValue(balance.free, this.prices.now(wallet.exchange, balance.asset)),
          networks: networks.filter(({ asset }) => asset === balance.asset),
        })),
    };
  }

  private isFresh({ lastSyncAt }: Wallet, minutes: number): boolean {
    return lastSyncAt !== null && this.clock.now().getTime() - lastSyncAt.getTime() < minutes * MINUTE_MS;
  }
}
