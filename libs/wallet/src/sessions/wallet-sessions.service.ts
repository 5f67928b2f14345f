import { Inject, Injectable } from '@nestjs/common';
import { Exchanges, type ExchangeError, type ExchangeSession } from '#exchange';
import { logFailedWork } from '#platform/errors';
import { LOGGER, type Logger } from '#platform/logging';
import { isInvalidCredentials, toDomainError, type AskedFor } from '../failures/exchange-failure.js';
import { WalletGrants } from '../grants/wallet-grants.service.js';
import { CredentialRefusals } from '../refusals/credential-refusals.js';
import { JudgeRefusal } from '../refusals/judge-refusal.js';
import { WalletCredentials, type WalletTarget } from '../credentials/wallet-credentials.service.js';
import type { Wallet } from '../wallets/wallet.entity.js';
import { WalletInvalidCredentials } from '../wallets/wallet.errors.js';

export interface UseOptions {
  /** Whether to delete the wallet when its credentials are proven invalid and nothing holds them. */
  autoDelete: boolean;
  /**
   * Whether a new session is kept for the next call; default true. It is false in the background, because ten thousand
   * wallets with a call every quarter of an hour would evict the sessions that are in use.
   */
  keepSession?: boolean;
  /** The part of the interface that the caller has called. It decides the error codes; default `wallet`. */
  askedFor?: AskedFor;
}

/** Opens sessions with the exchange of a connected wallet. Other libs open such sessions only with this class. */
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
   * Runs `work` with the wallet's session, and converts errors of the exchange into domain errors. Must not run inside
   * a transaction. What `work` stores about the account must carry the version of the credentials that it received:
   * another version may open another account.
   *
   * Refused credentials count only when a second, signed call in another session is refused, too. Then the wallet is
   * flagged. `autoDelete` also requests its deletion, which happens only while nothing holds the credentials:
   * - at once when the key or grant was revoked, or in a test project when the key is invalid;
   * - otherwise by the worker (`RecheckWallet`), when the exchange has refused the credentials for long enough.
   * docs/decisions/0019-refused-keys.md has the rules.
   * @throws WalletNotFound when the wallet was deleted.
   * @throws WalletInvalidCredentials with `result.walletDeleted` and `result.deletionAt`.
   * @throws RefusedByExchange with the code of a definite refusal.
   * @throws ProviderError for every failure that proves nothing about the request.
   * @throws TradingProviderError instead of ProviderError when `askedFor` is `trade`, and RateLimitExceeded when the
   *   exchange then asks for fewer calls.
   */
  async use<T>(
    wallet: Pick<Wallet, 'id'>,
    options: UseOptions,
    work: (session: ExchangeSession, credentialVersion: string) => Promise<T>,
  ): Promise<T> {
    return this.useTarget(await this.credentials.target(wallet.id, { deletedToo: false }), options, work);
  }

  /** Runs `work` as `use` does, with a target that the caller has already read. */
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
      if (!isInvalidCredentials(error)) throw toDomainError(error, askedFor);
      throw await this.refused(fresh, error, { autoDelete, askedFor });
    }
  }

  /**
   * Opens a session for background work, such as comparing a wallet after a restore of the database; also for a deleted
   * wallet whose credentials are held. The errors of its calls are not converted.
   * @throws WalletNotFound when the credentials are erased.
   * @throws ExchangeError `unavailable` when an access token has expired and cannot be renewed now.
   */
  async openById(walletId: string): Promise<ExchangeSession> {
    const stored = await this.credentials.target(walletId, { deletedToo: true });
    return this.exchanges.open(await this.grants.fresh(stored, { deletedToo: true }));
  }

  /**
   * Opens a session with one version of the credentials, also for a deleted wallet. A withdrawal or an order is settled
   * with the version that it began with, because other credentials may open another account.
   * @param version the `credentialVersion` that `use` has passed to `work`.
   * @throws WalletNotFound when that version is erased.
   */
  async openVersion(walletId: string, version: string): Promise<ExchangeSession> {
    const stored = await this.credentials.targetOfVersion(walletId, version);
    const fresh = await this.grants.fresh(stored, { deletedToo: true });
    // When the credentials were replaced during a renewal, `fresh` returns the new ones.
    const isSame = fresh.version === version;
    return this.exchanges.open(isSame ? fresh : await this.credentials.targetOfVersion(walletId, version));
  }

  /** Decides by a second call whether refused credentials are invalid. @returns the error for the caller. */
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

  /**
   * Makes the worker check a flagged wallet soon, because after a successful call its credentials may be valid again.
   */
  private async succeeded(target: WalletTarget): Promise<void> {
    if (!target.seen.invalidApi) return;
    try {
      await this.refusals.endSeries(target);
    } catch (error) {
      // The call itself succeeded, so the caller still gets its result.
      const facts = { wallet: target.walletId };
      logFailedWork(this.logger, error, 'the successful call of a flagged wallet was not recorded', facts);
    }
  }
}
