import { Injectable } from '@nestjs/common';
import { ExchangeError } from '#exchange';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { Shutdown } from '#platform/lifecycle';
import { WalletCredentials, type WalletTarget } from '../credentials/wallet-credentials.service.js';
import { RefreshGrant } from './refresh-grant.js';
import type { Renewal } from './renewal.js';

/** What a token has to live on top of the longest time that a call takes, to be worth one. */
const LIFE_MARGIN_MS = 5_000;
/** A token that is refused so soon after it was renewed is not renewed again: others would be refused like it. */
const RENEWED_LATELY_MS = 60_000;
/** How often a caller looks whether somebody else has renewed the token that he waits for. */
const LOOK_EVERY_MS = 100;

/**
 * What a grant says about an account whose access token was refused.
 * - `ended`: the authorization server says now that the grant is over. That is as good as a second refusal.
 * - `ended_earlier`: it said so before, and the access token has outlived the grant. It has to be asked again.
 * - `doubtful`: the grant does not help any more, and that is no proof: it ended perhaps by our own doing, or it lives and
 *   what it brings is refused. The credentials have to be asked again, and whatever they answer, the account may be valid.
 * - `none`: there is no grant. The credentials have to be asked again.
 */
export type GrantOpinion = 'ended' | 'ended_earlier' | 'doubtful' | 'none';

/** Sees to it that sessions open with tokens that live, and that a refused token is not taken for a refused account. */
@Injectable()
export class WalletGrants {
  /** One wait per wallet, however many callers wait. */
  private readonly renewing = new Map<string, Promise<Renewal>>();

  constructor(
    private readonly credentials: WalletCredentials,
    private readonly refreshGrant: RefreshGrant,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly shutdown: Shutdown,
  ) {}

  /**
   * The target, with other tokens where its own are about to expire. One whose grant has ended, and one that nobody can
   * tell the expiry of, go as they are: the exchange has the word.
   * @param options.deletedToo also for a deleted wallet whose credentials are kept.
   * @throws WalletNotFound when the wallet was erased meanwhile.
   * @throws ExchangeError `unavailable` when the token has expired and another one cannot be had now.
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
   * Called when the exchange has said that the credentials of the target are invalid. With a grant that may mean no more
   * than an access token that ended early: the refresh token is the second opinion.
   * @throws WalletNotFound when the wallet was erased meanwhile.
   * @throws ExchangeError `unavailable` when there are other tokens now (reason `credentials_renewed`), or when it cannot
   *   be told.
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
   * A caller waits for GRANT_WAIT_MS at most. A renewal that has begun goes on after that, because the exchange may have
   * used the refresh token up already, and a process that is stopped finishes it.
   */
  private async waitFor(walletId: string, revision: string): Promise<Renewal> {
    const over = new AbortController();
    const renewal = this.insist(walletId, revision, over.signal);
    this.shutdown.addWork(renewal);
    const tooLate = this.clock.sleep(this.config.values.GRANT_WAIT_MS, over.signal).then((): Renewal => {
      over.abort();
      return 'busy';
    });
    return Promise.race([renewal, tooLate]).finally(() => over.abort());
  }

  /** Looks until another process has renewed the token, and renews it when that process is gone. Ends with the wait. */
  private async insist(walletId: string, revision: string, over: AbortSignal): Promise<Renewal> {
    for (;;) {
      const renewal = await this.refreshGrant.execute(walletId, revision);
      if (renewal !== 'busy') return renewal;
      await this.clock.sleep(LOOK_EVERY_MS, over);
      if (over.aborted) return renewal;
    }
  }

  private endsWithin(end: Date | null, ms: number): boolean {
    return end !== null && end.getTime() <= this.clock.now().getTime() + ms;
  }

  private get neededMs(): number {
    const { EXCHANGE_TIMEOUT_MS, EXECUTE_WAIT_MS } = this.config.values;
    // An execution asks several times, and its submission must not meet a token that has just expired.
    return Math.max(EXCHANGE_TIMEOUT_MS, EXECUTE_WAIT_MS) + LIFE_MARGIN_MS;
  }
}
