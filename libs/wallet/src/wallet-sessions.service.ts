import { Injectable } from '@nestjs/common';
import { Exchanges, type ExchangeSession } from '#exchange';
import { isForEver, saysInvalid, toDomainError, type AskedFor } from './exchange-refusal.js';
import { WalletGrants, type GrantOpinion } from './grants/wallet-grants.service.js';
import { RecordInvalidCredentials } from './record-invalid-credentials.js';
import { WalletCredentials, type WalletTarget } from './wallet-credentials.service.js';
import type { Wallet } from './wallet.entity.js';
import { WalletInvalidCredentials } from './wallet.errors.js';

export interface UseOptions {
  /** Delete the wallet when its credentials are proven invalid and nothing holds them. */
  autoDelete: boolean;
  /**
   * Whether a session that has to be made is kept for the next call; default true. Not in the background: ten thousand
   * wallets that are asked once in a quarter of an hour would only drive out the sessions of those that are in use.
   */
  keepSession?: boolean;
  /** In whose words a failure is told; default those of the wallet. */
  askedFor?: AskedFor;
}

/** The one way from a wallet to its exchange. */
@Injectable()
export class WalletSessions {
  constructor(
    private readonly credentials: WalletCredentials,
    private readonly exchanges: Exchanges,
    private readonly recordInvalid: RecordInvalidCredentials,
    private readonly grants: WalletGrants,
  ) {}

  /**
   * Runs `work` with the wallet's session and says in the interface's terms what went wrong. Not inside a transaction.
   * What `work` stores of the account goes with the version of the credentials that it was told: under others the wallet
   * may be another account.
   *
   * "Invalid credentials" counts only when a second, signed call on a session of its own says the same: then the wallet
   * is marked, or deleted where `autoDelete` says so, it is for ever (`isForEver`) and no hold stands against it. Of an
   * account that was authorized the second opinion is its grant's: when that can be renewed, the account is as valid as
   * before, and the caller is told to try again; a grant that may have ended by our own doing, and one that lives while
   * the token that it has just brought is refused, mark the wallet and never delete it. Nothing else ever deletes a
   * wallet; a grant that ends marks it, too.
   * @throws WalletNotFound when the wallet was deleted meanwhile.
   * @throws WalletInvalidCredentials with `result.walletDeleted`.
   * @throws RefusedByExchange with the code of a definite refusal.
   * @throws ProviderError for everything that proves nothing about the request; under `/trade` TradingProviderError,
   *   and RateLimitExceeded where the exchange wants a pause.
   */
  async use<T>(
    wallet: Pick<Wallet, 'id'>,
    options: UseOptions,
    work: (session: ExchangeSession, credentialVersion: string) => Promise<T>,
  ): Promise<T> {
    return this.useTarget(await this.credentials.target(wallet.id, { deletedToo: false }), options, work);
  }

  /** The same with a target that is known already. */
  async useTarget<T>(
    target: WalletTarget,
    { autoDelete, keepSession = true, askedFor }: UseOptions,
    work: (session: ExchangeSession, credentialVersion: string) => Promise<T>,
  ): Promise<T> {
    let fresh = target;
    try {
      fresh = await this.grants.fresh(target, { deletedToo: false });
      return await work(await this.exchanges.open(fresh, { keep: keepSession }), fresh.version);
    } catch (error) {
      if (!saysInvalid(error)) throw toDomainError(error, askedFor);
      const isDeletion = (await this.confirmInvalid(fresh, error, askedFor)) && isForEver(error) && autoDelete;
      throw new WalletInvalidCredentials(await this.recordInvalid.execute(fresh, isDeletion), error);
    }
  }

  /**
   * A session for what must go on without a caller, such as comparing a restored wallet; also for a deleted wallet whose
   * credentials are held. Its calls throw `ExchangeError` as they are.
   * @throws WalletNotFound when the credentials are erased.
   * @throws ExchangeError `unavailable` when an access token has expired and cannot be renewed now.
   */
  async openById(walletUuid: string): Promise<ExchangeSession> {
    const stored = await this.credentials.target(walletUuid, { deletedToo: true });
    return this.exchanges.open(await this.grants.fresh(stored, { deletedToo: true }));
  }

  /**
   * The same with one version of the credentials, as `use` tells it: what was begun with it is settled with it, because
   * other credentials may open another account.
   * @throws WalletNotFound when that version is erased.
   */
  async openVersion(walletUuid: string, version: string): Promise<ExchangeSession> {
    const stored = await this.credentials.targetOfVersion(walletUuid, version);
    const fresh = await this.grants.fresh(stored, { deletedToo: true });
    // They may have been replaced while a token was renewed: then the renewal returns the new ones.
    const isSame = fresh.version === version;
    return this.exchanges.open(isSame ? fresh : await this.credentials.targetOfVersion(walletUuid, version));
  }

  /** Returns only when a second opinion agrees that the credentials are invalid: whether for ever. */
  private async confirmInvalid(target: WalletTarget, first: unknown, askedFor?: AskedFor): Promise<boolean> {
    let opinion: GrantOpinion | null = null;
    try {
      opinion = await this.grants.judgeRefused(target);
      if (opinion === 'ended') return true;
      await (await this.exchanges.openFresh(target)).keyInfo();
    } catch (second) {
      if (saysInvalid(second)) return opinion !== 'doubtful' && isForEver(second);
      throw toDomainError(second, askedFor);
    }
    throw toDomainError(first, askedFor);
  }
}
