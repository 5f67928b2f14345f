import { Injectable } from '@nestjs/common';
import { ExchangeError } from '#exchange';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { Shutdown } from '#platform/lifecycle';
import { WalletCredentials, type WalletTarget } from '../credentials/wallet-credentials.service.js';
import { RefreshGrant } from './refresh-grant.js';
import type { Renewal } from './renewal.js';

/** A token must live this much longer than the longest call, or it is renewed first. */
const LIFE_MARGIN_MS = 5_000;
/**
 * A token that the exchange refuses this soon after its renewal is not renewed again, because the next token would be
 * refused, too.
 */
const RENEWED_LATELY_MS = 60_000;
/** How often a waiting caller checks whether another process has renewed the token. */
const POLL_EVERY_MS = 100;

/**
 * The state of a wallet's grant after the exchange has refused the wallet's access token.
 * - `ended`: the authorization server answers now that the grant has ended. This answer counts as the second refusal.
 * - `ended_earlier`: the server had answered before the refusal that the grant has ended. The access token was still
 *   valid for some time, so the credentials must be tested again.
 * - `doubtful`: the grant proves nothing. We may have ended it ourselves, or it is valid and its new tokens are
 *   refused. The credentials must be tested again, and a refusal never deletes the wallet.
 * - `none`: there is no grant. The credentials must be tested again.
 */
export type GrantOpinion = 'ended' | 'ended_earlier' | 'doubtful' | 'none';

/** Keeps access tokens valid for sessions, and distinguishes an expired token from a refused account. */
@Injectable()
export class WalletGrants {
  /** The running renewal of each wallet and revision. All callers in this process wait for the same renewal. */
  private readonly renewing = new Map<string, Promise<Renewal>>();

  constructor(
    private readonly credentials: WalletCredentials,
    private readonly refreshGrant: RefreshGrant,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly shutdown: Shutdown,
  ) {}

  /**
   * Returns the target, with renewed tokens when its tokens are about to expire. A target whose grant has ended, or
   * whose expiry is unknown, is returned unchanged: the exchange decides whether it accepts the token.
   * @param options.deletedToo also for a deleted wallet whose credentials are kept.
   * @throws WalletNotFound when the wallet was erased.
   * @throws ExchangeError `unavailable` when the token has expired and cannot be renewed now.
   */
  async fresh(target: WalletTarget, options: { deletedToo: boolean }): Promise<WalletTarget> {
    const { grant, exchange, walletId } = target;
    if (grant === null || grant.isEnded || !this.endsWithin(grant.accessExpiresAt, this.neededMs)) return target;
    const renewal = await this.renew(walletId, grant.revision);
    if (renewal === 'renewed' || renewal === 'ended') return this.credentials.target(walletId, options);
    if (!this.endsWithin(grant.accessExpiresAt, 0)) return target;
    throw new ExchangeError('unavailable', exchange, 'the access token has expired and could not be renewed now', {
      reason: 'credentials_not_renewed',
    });
  }

  /**
   * Checks credentials that the exchange has refused. An access token may merely have expired early, so a renewal shows
   * whether the exchange refuses the account.
   * @throws WalletNotFound when the wallet was erased.
   * @throws ExchangeError `unavailable` when there are new tokens now (reason `credentials_renewed`), or when the
   *   renewal proves nothing.
   */
  async judgeRefused({ grant, exchange, walletId }: WalletTarget): Promise<GrantOpinion> {
    if (grant === null) return 'none';
    if (grant.isEnded) return grant.isEndInDoubt ? 'doubtful' : 'ended_earlier';
    if (grant.renewedAt !== null && !this.endsWithin(grant.renewedAt, -RENEWED_LATELY_MS)) return 'doubtful';
    const renewal = await this.renew(walletId, grant.revision);
    if (renewal === 'ended') {
      const { grant: ended } = await this.credentials.target(walletId, { deletedToo: true });
      if (ended?.isEnded === true) return ended.isEndInDoubt ? 'doubtful' : 'ended';
    }
    throw renewal === 'renewed' || renewal === 'ended'
      ? new ExchangeError('unavailable', exchange, 'the access token was refused and has been renewed: try again', {
          reason: 'credentials_renewed',
        })
      : new ExchangeError('unavailable', exchange, 'the access token was refused and could not be renewed now', {
          reason: 'credentials_not_renewed',
        });
  }

  private renew(walletId: string, revision: string): Promise<Renewal> {
    const key = `${walletId} ${revision}`;
    const running = this.renewing.get(key);
    if (running !== undefined) return running;
    const started = this.waitFor(walletId, revision).finally(() => this.renewing.delete(key));
    this.renewing.set(key, started);
    return started;
  }

  /**
   * Waits for the renewal for at most GRANT_WAIT_MS, and then returns `busy`. A renewal that has begun continues after
   * that, because the exchange may have used up the refresh token. A shutdown waits for the renewal.
   */
  private async waitFor(walletId: string, revision: string): Promise<Renewal> {
    const over = new AbortController();
    const renewal = this.pollUntilRenewed(walletId, revision, over.signal);
    this.shutdown.addWork(renewal);
    const tooLate = this.clock.sleep(this.config.constants.GRANT_WAIT_MS, over.signal).then((): Renewal => {
      over.abort();
      return 'busy';
    });
    return Promise.race([renewal, tooLate]).finally(() => over.abort());
  }

  /**
   * Renews the token. While another process renews it, polls for the result, and renews the token itself when the lease
   * of that process is over.
   * @param over ends the wait; the method then returns `busy`
   */
  private async pollUntilRenewed(walletId: string, revision: string, over: AbortSignal): Promise<Renewal> {
    for (;;) {
      const renewal = await this.refreshGrant.execute(walletId, revision);
      if (renewal !== 'busy') return renewal;
      await this.clock.sleep(POLL_EVERY_MS, over);
      if (over.aborted) return renewal;
    }
  }

  private endsWithin(end: Date | null, ms: number): boolean {
    return end !== null && end.getTime() <= this.clock.now().getTime() + ms;
  }

  private get neededMs(): number {
    const { EXCHANGE_TIMEOUT_MS, EXECUTE_WAIT_MS } = this.config.values;
    // An execution makes several calls, and the token must not expire before its submission.
    return Math.max(EXCHANGE_TIMEOUT_MS, EXECUTE_WAIT_MS) + LIFE_MARGIN_MS;
  }
}
