import { Injectable } from '@nestjs/common';
import type { ProjectContext } from '#access';
import {
  withdrawableOf,
  type AssetBalance,
  type DatedNetworks,
  type UnreadAccount,
  type WithdrawalNetwork,
} from '#exchange';
import { dollarValue, Prices } from '#market';
import type { Amount } from '#money';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { CacheExpired, CacheMiss, type CacheDirectives } from '#platform/http';
import { WalletBalances, Wallets, WalletSessions, type UseOptions, type Wallet } from '#wallet';
import { StoredNetworks } from './stored-networks.js';

const MINUTE_MS = 60_000;

export interface BalanceOptions extends UseOptions {
  /** Stored balances that are younger than this are used. With 0, and when absent, the exchange is queried. */
  refreshAfterMinutes?: number;
  /** The request's `Cache-Control`. Without `only-if-cached`, its `max-age` can only lower the accepted age. */
  cache?: CacheDirectives;
}

export interface WithdrawableAsset {
  balance: AssetBalance;
  /** The value of what can be withdrawn, in US dollars; null = no price is known. */
  amountInFiat: Amount | null;
  networks: WithdrawalNetwork[];
}

export interface WithdrawableBalances {
  lastSyncAt: Date;
  balances: WithdrawableAsset[];
  /** The accounts at the exchange that the last sync could not read. */
  unread: UnreadAccount[];
  /** When stored balances were read from the exchange; null = the balances were read just now. */
  storedAt: Date | null;
}

type StoredFacts = DatedNetworks & { balancesAt: Date };

/** Reads the balances that can be withdrawn from a wallet, and the networks for them. */
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
  async execute(
    project: ProjectContext,
    externalWalletId: string,
    options: BalanceOptions,
  ): Promise<WithdrawableBalances> {
    const wallet = await this.wallets.get(project, externalWalletId);
    const maxAgeMs = this.maxAgeMs(options);
    const onlyIfCached = options.cache?.onlyIfCached ?? false;
    const stored = maxAgeMs > 0 || onlyIfCached ? await this.findStored(wallet) : null;
    if (stored !== null && this.isYounger(stored.balancesAt, maxAgeMs) && this.hasRecentNetworks(stored)) {
      const balances = await this.walletBalances.list(wallet);
      const { balancesAt, networks } = stored;
      return {
        lastSyncAt: balancesAt,
        storedAt: balancesAt,
        balances: this.combine(wallet, balances, networks),
        unread: await this.walletBalances.unread(wallet),
      };
    }
    if (onlyIfCached) throw stored === null ? new CacheMiss() : new CacheExpired();
    return this.ask(project, wallet, { ...options, maxAgeMs });
  }

  /**
   * Returns up to which age stored balances are accepted. Without `only-if-cached`, a `max-age` can only lower this
   * age, because a proxy may have added the `max-age` to the request.
   */
  private maxAgeMs({ refreshAfterMinutes, cache }: BalanceOptions): number {
    if (cache?.noCache === true) return 0;
    const askedMs = cache?.maxAgeMs ?? null;
    if (refreshAfterMinutes !== undefined) return Math.min(refreshAfterMinutes * MINUTE_MS, askedMs ?? Infinity);
    return cache?.onlyIfCached === true ? (askedMs ?? this.config.values.BALANCE_CACHE_SECONDS * 1_000) : 0;
  }

  /**
   * Returns null when balances or networks are not stored, or when the credentials were replaced after the balances
   * were read, because the balances may be those of another account.
   */
  private async findStored(wallet: Wallet): Promise<StoredFacts | null> {
    const { lastSyncAt: balancesAt } = wallet;
    const stored = await this.storedNetworks.find(wallet);
    if (balancesAt === null || stored === null) return null;
    return (await this.wallets.hasNewCredentials(wallet.id, balancesAt)) ? null : { ...stored, balancesAt };
  }

  /**
   * Whether the networks are younger than NETWORKS_CACHE_SECONDS. They may be older than the balances, because they
   * change rarely and a quote checks fees and bounds again.
   */
  private hasRecentNetworks({ readAt }: DatedNetworks): boolean {
    return this.isYounger(readAt, this.config.constants.NETWORKS_CACHE_SECONDS * 1_000);
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
    // A refresh changes `lastSyncAt`, so the wallet is read again.
    const { lastSyncAt } = await this.wallets.get(project, wallet.externalId);
    return {
      lastSyncAt: lastSyncAt ?? this.clock.now(),
      storedAt: isFresh ? lastSyncAt : null,
      balances: this.combine(wallet, balances, networks),
      unread: await this.walletBalances.unread(wallet),
    };
  }

  /** Reads the networks of all assets in one call. The session caches the response for 5 minutes. */
  private async askNetworks(wallet: Wallet, options: UseOptions): Promise<WithdrawalNetwork[]> {
    return this.sessions.use(wallet, options, async ({ withdrawals }, credentialVersion) => {
      const dated = await (withdrawals?.datedNetworks() ?? { networks: [], readAt: this.clock.now() });
      await this.storedNetworks.record(wallet, dated, credentialVersion);
      return dated.networks;
    });
  }

  private async hasFreshBalances({ id, lastSyncAt }: Wallet, maxAgeMs: number): Promise<boolean> {
    if (lastSyncAt === null || !this.isYounger(lastSyncAt, maxAgeMs)) return false;
    return !(await this.wallets.hasNewCredentials(id, lastSyncAt));
  }

  /** Whether `moment` is less than `maxAgeMs` away from the present time, before or after it. */
  private isYounger(moment: Date, maxAgeMs: number): boolean {
    return Math.abs(this.clock.now().getTime() - moment.getTime()) < maxAgeMs;
  }

  private combine(wallet: Wallet, balances: AssetBalance[], networks: WithdrawalNetwork[]): WithdrawableAsset[] {
    return balances
      .filter(({ free, elsewhere, isPartial }) => free.isPositive() || elsewhere !== undefined || isPartial === true)
      .map((balance) => ({
        balance,
        amountInFiat: dollarValue(withdrawableOf(balance), this.prices.now(wallet.exchange, balance.asset)),
        networks: networks.filter(({ asset }) => asset === balance.asset),
      }));
  }
}
