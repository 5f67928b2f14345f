import { Inject, Injectable } from '@nestjs/common';
import { Exchanges, type ExchangeError, type ExchangeSession } from '#exchange';
import { logFailedWork } from '#platform/errors';
import { LOGGER, type Logger } from '#platform/logging';
import { saysInvalid, toDomainError, type AskedFor } from '../failures/exchange-failure.js';
import { WalletGrants } from '../grants/wallet-grants.service.js';
import { CredentialRefusals } from '../refusals/credential-refusals.js';
import { JudgeRefusal } from '../refusals/judge-refusal.js';
import { WalletCredentials, type WalletTarget } from '../credentials/wallet-credentials.service.js';
import type { Wallet } from '../wallets/wallet.entity.js';
import { WalletInvalidCredentials } from '../wallets/wallet.errors.js';

export interface UseOptions {
  /** Whether the caller wants the wallet deleted when its credentials are proven invalid and nothing holds them. */
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
    private readonly judgeRefusal: JudgeRefusal,
    private readonly grants: WalletGrants,
    private readonly refusals: CredentialRefusals,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Runs `work` with the wallet's session and says in the interface's terms what went wrong. Not inside a transaction.
   * What `work` stores of the account goes with the version of the credentials that it was told: under others the wallet
   * may be another account.
   *
   * Refused credentials count only when a second, signed call on a session of its own is refused, too: then the wallet is
   * marked. Where `autoDelete` says so and nothing holds the credentials, it is deleted: at once in a test project, and when
   * the exchange says that this very key or grant was revoked; else by the worker, when the refusals have lasted
   * (`RecheckWallet`). The rules: docs/decisions/0019-refused-keys.md.
   * @throws WalletNotFound when the wallet was deleted meanwhile.
   * @throws WalletInvalidCredentials with `result.walletDeleted` and `result.deletionAt`.
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
      const result = await work(await this.exchanges.open(fresh, { keep: keepSession }), fresh.version);
      await this.succeeded(fresh);
      return result;
    } catch (error) {
      if (!saysInvalid(error)) throw toDomainError(error, askedFor);
      throw await this.refused(fresh, error, { autoDelete, askedFor });
    }
  }

  /**
   * A session for what must go on without a caller, such as comparing a restored wallet; also for a deleted wallet whose
   * credentials are held. Its calls throw `ExchangeError` as they are.
   * @throws WalletNotFound when the credentials are erased.
   * @throws ExchangeError `unavailable` when an access token has expired and cannot be renewed now.
   */
  async openById(walletId: string): Promise<ExchangeSession> {
    const stored = await this.credentials.target(walletId, { deletedToo: true });
    return this.exchanges.open(await this.grants.fresh(stored, { deletedToo: true }));
  }

  /**
   * The same with one version of the credentials, as `use` tells it: what was begun with it is settled with it, because
   * other credentials may open another account.
   * @throws WalletNotFound when that version is erased.
   */
  async openVersion(walletId: string, version: string): Promise<ExchangeSession> {
    const stored = await this.credentials.targetOfVersion(walletId, version);
    const fresh = await this.grants.fresh(stored, { deletedToo: true });
    // They may have been replaced while a token was renewed: then the renewal returns the new ones.
    const isSame = fresh.version === version;
    return this.exchanges.open(isSame ? fresh : await this.credentials.targetOfVersion(walletId, version));
  }

  /** @returns what the caller is told when the exchange has refused the credentials. */
  private async refused(
    target: WalletTarget,
    first: ExchangeError,
    { autoDelete, askedFor }: Pick<UseOptions, 'autoDelete' | 'askedFor'>,
  ): Promise<unknown> {
    try {
      const judgement = await this.judgeRefusal.execute(target, first, { autoDelete });
      return judgement.isRefused ? new WalletInvalidCredentials(judgement, first) : toDomainError(first, askedFor);
    } catch (second) {
      return toDomainError(second, askedFor);
    }
  }

  /** A call with a marked wallet's session has succeeded: its credentials may be valid again, and the worker finds out. */
  private async succeeded(target: WalletTarget): Promise<void> {
    if (!target.seen.invalidApi) return;
    try {
      await this.refusals.endSeries(target);
    } catch (error) {
      // What the call has done stands.
      const facts = { wallet: target.walletId };
      logFailedWork(this.logger, error, 'the success of a marked wallet was not recorded', facts);
    }
  }
}
