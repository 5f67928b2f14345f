import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { WithdrawalNetwork } from '#exchange';
import { Config } from '#platform/config';
import { WalletSessions, type UseOptions, type Wallet } from '#wallet';

/** Wallets whose networks are kept in memory at once. */
const WALLETS_MAX = 1_000;

/** Which networks a wallet can withdraw on. An account's own list (its verification decides), kept for a few minutes. */
@Injectable()
export class WithdrawalNetworks {
  private readonly known: LRUCache<string, WithdrawalNetwork[]>;

  constructor(
    config: Config,
    private readonly sessions: WalletSessions,
  ) {
    const ttl = config.values.EXCHANGE_METADATA_TTL_SECONDS * 1_000;
    this.known = new LRUCache({ max: WALLETS_MAX, ttl });
  }

  /** Networks of all assets; empty where the exchange has no withdrawals. @throws the errors of `WalletSessions.use`. */
  async list(wallet: Pick<Wallet, 'id'>, options: UseOptions): Promise<WithdrawalNetwork[]> {
    const known = this.known.get(wallet.id);
    if (known !== undefined) return known;
    const networks = await this.sessions.use(wallet, options, (session) =>
      session.withdrawals === undefined ? Promise.resolve([]) : session.withdrawals.networks(),
    );
    this.known.set(wallet.id, networks);
    return networks;
  }

  async listOf(wallet: Pick<Wallet, 'id'>, asset: string, options: UseOptions): Promise<WithdrawalNetwork[]> {
    return (await this.list(wallet, options)).filter((network) => network.asset === asset);
  }
}
