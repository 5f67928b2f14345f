import { Injectable } from '@nestjs/common';
import type { ProjectContext } from '#access';
import type { AssetBalance, WithdrawalNetwork } from '#exchange';
import { dollarValue, Prices } from '#market';
import type { Amount } from '#money';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { CacheExpired, CacheMiss, type CacheDirectives } from '#platform/http';
import { WalletBalances, Wallets, WalletSessions, type UseOptions, type Wallet } from '#wallet';
import { StoredNetworks } from './stored-networks.js';

const MINUTE_MS = 60_000;

export interface BalanceOptions extends UseOptions {
  /** Stored balances younger than this are good enough; 0 always asks the exchange, and so does leaving it out. */
  refreshAfterMinutes?: number;
  /** What the request says of what is stored, beside or instead of that. */
  cache?: CacheDirectives;
}

export interface WithdrawableAsset {
  balance: AssetBalance;
  /** The free balance in US dollars; null = no price is known. */
  freeInFiat: Amount | null;
  networks: WithdrawalNetwork[];
}

export interface WithdrawableBalances {
  lastSyncAt: Date;
  balances: WithdrawableAsset[];
  /** When the oldest of it was asked for, where the balances were stored; null = the exchange was asked now. */
  storedAt: Date | null;
}

interface StoredFacts {
  balancesAt: Date;
  networks: WithdrawalNetwork[];
  networksAt: Date;
}

/** What can be withdrawn from a wallet now, and on which networks. */
@Injectable()
export class WithdrawableBalance {
  constructor(
    private readonly wallets: Wallets,
    private readonly walletBalances: WalletBalances,
    private readonly storedNetworks: StoredNetworks,
    private readonly sessions: WalletSessions,
    private readonly prices: Prices,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /** @throws the errors of `Wallets.get` and of `WalletSessions.use`, CacheMiss and CacheExpired. */
  async execute(project: ProjectContext, walletId: string, options: BalanceOptions): Promise<WithdrawableBalances> {
    const wallet = await this.wallets.get(project, walletId);
    const maxAgeMs = this.maxAgeMs(options);
    const onlyIfCached = options.cache?.onlyIfCached ?? false;
    const stored = maxAgeMs > 0 || onlyIfCached ? await this.findStored(wallet) : null;
    if (stored !== null) {
      const { balancesAt: lastSyncAt, networksAt } = stored;
      const storedAt = lastSyncAt < networksAt ? lastSyncAt : networksAt;
      if (this.isYounger(storedAt, maxAgeMs)) {
        const balances = await this.walletBalances.list(wallet);
        return { lastSyncAt, storedAt, balances: this.combine(wallet, balances, stored.networks) };
      }
    }
    if (onlyIfCached) throw stored === null ? new CacheMiss() : new CacheExpired();
    return this.ask(project, wallet, { ...options, maxAgeMs });
  }

  private maxAgeMs({ refreshAfterMinutes, cache }: BalanceOptions): number {
    if (cache?.noCache === true) return 0;
    const thresholdMs = refreshAfterMinutes === undefined ? null : refreshAfterMinutes * MINUTE_MS;
    const asked = [cache?.maxAgeMs ?? null, thresholdMs].filter((bound) => bound !== null);
    if (asked.length > 0) return Math.min(...asked);
    return cache?.onlyIfCached === true ? this.config.values.BALANCE_CACHE_SECONDS * 1_000 : 0;
  }

  /** Null also when the credentials were replaced since: it may be what another account had. */
  private async findStored(wallet: Wallet): Promise<StoredFacts | null> {
    const { lastSyncAt: balancesAt } = wallet;
    const stored = await this.storedNetworks.find(wallet);
    if (balancesAt === null || stored === null) return null;
    const { networks, fetchedAt: networksAt } = stored;
    const oldest = balancesAt < networksAt ? balancesAt : networksAt;
    return (await this.wallets.hasNewCredentials(wallet.id, oldest)) ? null : { balancesAt, networks, networksAt };
  }

  private async ask(
    project: ProjectContext,
    wallet: Wallet,
    options: UseOptions & { maxAgeMs: number },
  ): Promise<WithdrawableBalances> {
    const isFresh = await this.hasFreshBalances(wallet, options.maxAgeMs);
    const balances = isFresh
      ? await this.walletBalances.list(wallet)
      : await this.walletBalances.refresh(wallet, options);
    const networks = await this.askNetworks(wallet, options);
    // Read again: a refresh has moved it.
    const { lastSyncAt } = await this.wallets.get(project, wallet.walletId);
    return {
      lastSyncAt: lastSyncAt ?? this.clock.now(),
      storedAt: isFresh ? lastSyncAt : null,
      balances: this.combine(wallet, balances, networks),
    };
  }

  /** One question for all assets; the session keeps the answer for EXCHANGE_METADATA_TTL_SECONDS. */
  private async askNetworks(wallet: Wallet, options: UseOptions): Promise<WithdrawalNetwork[]> {
    const askedAt = this.clock.now();
    const networks = await this.sessions.use(
      wallet,
      options,
      async (session) => (await session.withdrawals?.networks()) ?? [],
    );
    await this.storedNetworks.record(wallet, networks, askedAt);
    return networks;
  }

  private async hasFreshBalances({ id, lastSyncAt }: Wallet, maxAgeMs: number): Promise<boolean> {
    if (lastSyncAt === null || !this.isYounger(lastSyncAt, maxAgeMs)) return false;
    return !(await this.wallets.hasNewCredentials(id, lastSyncAt));
  }

  private isYounger(moment: Date, maxAgeMs: number): boolean {
    return this.clock.now().getTime() - moment.getTime() < maxAgeMs;
  }

  private combine(wallet: Wallet, balances: AssetBalance[], networks: WithdrawalNetwork[]): WithdrawableAsset[] {
    return balances
      .filter(({ free }) => free.isPositive())
      .map((balance) => ({
        balance,
        freeInFiat: dollarValue(balance.free, this.prices.now(wallet.exchange, balance.asset)),
        networks: networks.filter(({ asset }) => asset === balance.asset),
      }));
  }
}
