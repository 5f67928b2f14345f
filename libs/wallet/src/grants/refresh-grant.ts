import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Projects, type ProjectIdentity } from '#access';
import { AuthorizationError, Authorizations, type Authorized, type Grant } from '#exchange';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { Vault, type SealedRecord, type Sealer, type Secret } from '#platform/crypto';
import { Database } from '#platform/database';
import { logFailedWork } from '#platform/errors';
import { runAsMoney } from '#platform/load';
import { LOGGER, logRepeated, type Logger } from '#platform/logging';
import { InvalidApiFlag } from '../wallets/invalid-api-flag.js';
import type { CredentialWrite } from '../credentials/sealed-credentials.js';
import { WalletCredentials } from '../credentials/wallet-credentials.service.js';
import { Wallets } from '../wallets/wallets.service.js';
import { GrantMetrics } from './grant.metrics.js';
import { nextRefreshOf, pauseAfter } from './grant-schedule.js';
import type { Renewal } from './renewal.js';
import { RevokeGrant } from './revoke-grant.js';
import { openRefreshToken, sealRefreshToken } from './sealed-grant.js';

/** After this time a process that was renewing a token counts as dead. */
const LEASE_MS = 60_000;
/** First pause after a renewal without a response. It doubles with each further failure. */
const BACKOFF_MS = 30_000;
const BACKOFF_MAX_MS = 3_600_000;
/**
 * Pauses between attempts to store a token that the exchange has issued: the first pause, which doubles, and the
 * longest.
 */
const WRITE_RETRY_MS = 200;
const WRITE_RETRY_MAX_MS = 2_000;

/** A grant whose lease this process holds until `heldUntil`. */
interface ClaimedGrant {
  walletId: string;
  revision: string;
  holder: string;
  heldUntil: Date;
  project: ProjectIdentity;
  exchange: string;
  sealed: SealedRecord;
  /** The write of the credentials with which the grant was stored. */
  write: CredentialWrite;
  /** The OAuth client id that the grant was issued to. */
  clientId: string;
  refreshExpiresAt: Date | null;
  failures: number;
}

/** A grant that is ready for its renewal. */
interface OpenedGrant extends ClaimedGrant {
  refreshToken: Secret;
  /** Seals the new tokens. It exists before the old ones are used up, so that no key is needed afterwards. */
  sealer: Sealer;
}

interface ClaimedRow {
  sealed: SealedRecord;
  version: string;
  sequence: number;
  client_id: string;
  refresh_expires_at: Date | null;
  failures: number;
  exchange: string;
  project_id: string;
}

/**
 * Renews the tokens of one wallet. Only one process renews at a time, because an exchange accepts a refresh token once.
 * docs/decisions/0018-grants.md describes the cases in which a grant is lost.
 */
@Injectable()
export class RefreshGrant {
  constructor(
    private readonly db: Database,
    private readonly vault: Vault,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly projects: Projects,
    private readonly wallets: Wallets,
    private readonly authorizations: Authorizations,
    private readonly credentials: WalletCredentials,
    private readonly flag: InvalidApiFlag,
    private readonly revokeGrant: RevokeGrant,
    private readonly metrics: GrantMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Renews the tokens of this revision. Must not run inside a transaction.
   * @param revision the revision of the grant that the caller has read. A grant with another revision is not renewed.
   */
  async execute(walletId: string, revision: string): Promise<Renewal> {
    const claimed = await this.claim(walletId, revision);
    if (claimed === null) return this.whyNot(walletId, revision);
    // The exchange issues a token once, so storing it must not wait behind other work on the database.
    const renewal = await runAsMoney(() => this.renew(claimed));
    this.metrics.refreshed(claimed.exchange, renewal);
    return renewal;
  }

  private async claim(walletId: string, revision: string): Promise<ClaimedGrant | null> {
    const now = this.clock.now();
    const { EXCHANGE_TIMEOUT_MS } = this.config.values;
    // The lease is at least as long as a request may take. Otherwise a second process could use the same token
    // meanwhile.
    const heldUntil = new Date(now.getTime() + Math.max(LEASE_MS, 2 * EXCHANGE_TIMEOUT_MS));
    const holder = this.clock.newId();
    const [row] = await this.db.query<ClaimedRow>(
      `update wallet_grants g
          set holder = $3, held_until = $4, failures = failures + 1, unanswered = unanswered + 1,
              next_refresh_at = $4, updated_at = $5
         from wallets w join wallet_credentials c on c.wallet_id = w.id
        where g.wallet_id = $1 and g.revision = $2 and w.id = g.wallet_id and g.ended_at is null
          and (g.held_until is null or g.held_until <= $5) and (g.failures = 0 or g.updated_at <= $6)
       returning g.sealed, g.client_id, g.refresh_expires_at, g.failures, w.exchange, w.project_id,
                 w.credentials_sequence as sequence, c.sealed->>'id' as version`,
      [walletId, revision, holder, heldUntil, now, this.pausedSince(now)],
    );
    if (row === undefined) return null;
    const { sealed, failures, exchange, client_id: clientId, refresh_expires_at: refreshExpiresAt } = row;
    const project = await this.projects.getContext(row.project_id);
    const write = { id: row.version, sequence: row.sequence };
    const grant = { walletId, revision, holder, heldUntil, project, exchange, sealed, write };
    return { ...grant, clientId, refreshExpiresAt, failures };
  }

  private async whyNot(walletId: string, revision: string): Promise<Renewal> {
    const now = this.clock.now();
    const [row] = await this.db.query<{ renewal: Renewal }>(
      `select case when revision <> $2 then 'renewed' when ended_at is not null then 'ended'
                   when held_until > $3 then 'busy' when failures > 0 and updated_at > $4 then 'unavailable'
                   else 'busy' end as renewal
         from wallet_grants where wallet_id = $1`,
      [walletId, revision, now, this.pausedSince(now)],
    );
    return row?.renewal ?? 'renewed';
  }

  private async renew(claimed: ClaimedGrant): Promise<Renewal> {
    const { walletId, project, exchange, clientId } = claimed;
    const target = { exchange, mode: project.mode };
    // With another client id, the exchange would answer that the grant has ended, although it has not.
    if (this.authorizations.clientId(target) !== clientId) {
      this.logOtherClient(claimed);
      await this.giveBack(claimed, { isSent: false });
      return 'unavailable';
    }
    let opened: OpenedGrant;
    let authorized: Authorized;
    let isBegun = false;
    let isTooLate = false;
    try {
      opened = await this.open(claimed);
      authorized = await this.authorizations.refresh(target, opened.refreshToken, {
        beforeSend: () => {
          isTooLate = !this.isLeaseLongEnough(claimed);
          if (isTooLate) throw new Error('nothing was sent: the lease of the grant ends too soon');
          isBegun = true;
        },
      });
    } catch (error) {
      const failure = error instanceof AuthorizationError ? error : null;
      if (failure?.failure === 'grant_ended') return this.end(claimed);
      logFailedWork(this.logger, error, 'an access token was not renewed; a later job tries again', {
        wallet: walletId,
      });
      if (isTooLate) await this.release(claimed);
      else await this.giveBack(claimed, { isSent: isBegun && failure?.sent !== false });
      return 'unavailable';
    }
    return this.keep(opened, authorized);
  }

  private async open(claimed: ClaimedGrant): Promise<OpenedGrant> {
    const refreshToken = await openRefreshToken(this.vault, claimed, claimed.sealed, claimed.write);
    return { ...claimed, refreshToken, sealer: await this.vault.sealer(claimed.project) };
  }

  /**
   * Logs that the grant was issued to another OAuth client id. A repeated line is logged at growing intervals, because
   * a changed setting affects every wallet of the exchange.
   */
  private logOtherClient({ walletId: wallet, exchange, clientId }: ClaimedGrant): void {
    logRepeated(this.logger, 'error', {
      message:
        'an access token cannot be renewed: its grant belongs to another OAuth client id than OAUTH_<EXCHANGE>_CLIENT_ID states',
      cause: `${exchange} ${clientId}`,
      facts: { wallet, exchange, clientId },
    });
  }

  /**
   * Whether enough of the lease is left for the request. A process that was suspended after its claim must not use a
   * token that the next process may have used.
   */
  private isLeaseLongEnough({ heldUntil }: ClaimedGrant): boolean {
    return heldUntil.getTime() - this.clock.now().getTime() >= this.config.values.EXCHANGE_TIMEOUT_MS;
  }

  /**
   * Stores the received tokens before anything else, because the old refresh token is used up. Retries until the tokens
   * are stored or the new access token has expired. The tokens may be stored even after the end of the lease, because
   * `store` checks the revision. A shutdown waits until they are stored.
   */
  private async keep(claimed: OpenedGrant, authorized: Authorized): Promise<Renewal> {
    for (let failures = 0; ; failures++) {
      try {
        const stored = await this.db.transaction((tx) => this.store(tx, claimed, authorized));
        if (stored === 'erased' && authorized.grant !== null) {
          await this.revokeGrant.revoke(claimed, authorized.grant.refreshToken);
        }
        return 'renewed';
      } catch (error) {
        if (authorized.grant?.accessExpiresAt && authorized.grant.accessExpiresAt <= this.clock.now()) throw error;
        const facts = { wallet: claimed.walletId, failures };
        logFailedWork(this.logger, error, 'renewed tokens could not be stored yet; the process tries again', facts);
        await this.clock.sleep(Math.min(WRITE_RETRY_MS * 2 ** failures, WRITE_RETRY_MAX_MS));
      }
    }
  }

  /**
   * Stores the received tokens, even when another process holds the lease now, because these tokens replace the stored
   * ones. Discards them when the account was connected again or the wallet was erased.
   */
  private async store(
    tx: EntityManager,
    claimed: OpenedGrant,
    { credentials, grant, scopes }: Authorized,
  ): Promise<'stored' | 'superseded' | 'erased'> {
    const { walletId, revision } = claimed;
    await this.wallets.lock(tx, walletId);
    const version = await this.credentials.lock(tx, walletId);
    if (version === null) return 'erased';
    const [kept] = await this.db.query<{ ended: boolean }>(
      `select ended_at is not null as ended from wallet_grants where wallet_id = $1 and revision = $2 for update`,
      [walletId, revision],
      tx,
    );
    if (kept === undefined) return 'superseded';
    const newRevision = this.clock.newId();
    const write = { id: version, sequence: await this.credentials.nextSequence(tx, walletId) };
    // Before the deletion of the grant, without which held credentials keep their bytes.
    await this.credentials.renew(tx, claimed, credentials, { ...write, revision: newRevision, sealer: claimed.sealer });
    if (grant === null) await this.db.query(`delete from wallet_grants where wallet_id = $1`, [walletId], tx);
    else await this.replace(tx, claimed, { ...grant, scopes, revision: newRevision, write });
    // Clears the flag that `end` has set.
    if (kept.ended) await this.flag.clear(tx, walletId);
    return 'stored';
  }

  private async replace(
    tx: EntityManager,
    claimed: OpenedGrant,
    { revision, scopes, write, ...received }: Grant & { revision: string; scopes: string[]; write: CredentialWrite },
  ): Promise<void> {
    const now = this.clock.now();
    const isSameToken = received.refreshToken.reveal() === claimed.refreshToken.reveal();
    // When the exchange issues no new refresh token, the old one keeps its expiry.
    const grant = isSameToken
      ? { ...received, refreshExpiresAt: received.refreshExpiresAt ?? claimed.refreshExpiresAt }
      : received;
    await this.db.query(
      `update wallet_grants
          set revision = $2, failures = 0, unanswered = 0, holder = null, held_until = null, ended_at = null,
              sealed = $3, scopes = case when $4 = '{}'::text[] then scopes else $4 end,
              access_expires_at = $5, refresh_expires_at = $6, next_refresh_at = $7, renewed_at = $8, updated_at = $8
        where wallet_id = $1`,
      [
        claimed.walletId,
        revision,
        sealRefreshToken(claimed.sealer, claimed, grant.refreshToken, write),
        scopes,
        grant.accessExpiresAt,
        grant.refreshExpiresAt,
        nextRefreshOf(grant, now, this.config.constants.GRANT_REFRESH_AHEAD_SECONDS * 1_000),
        now,
      ],
      tx,
    );
  }

  /**
   * Ends the grant. Does nothing when another process has taken the lease over, because the exchange's response to that
   * process decides whether the grant has ended.
   */
  private end({ walletId, revision, holder }: ClaimedGrant): Promise<Renewal> {
    return this.db.transaction(async (tx) => {
      await this.wallets.lock(tx, walletId);
      const now = this.clock.now();
      const ended = await this.db.query(
        `update wallet_grants
            set ended_at = $4, next_refresh_at = null, holder = null, held_until = null, updated_at = $4
          where wallet_id = $1 and revision = $2 and holder = $3 returning wallet_id`,
        [walletId, revision, holder, now],
        tx,
      );
      if (ended.length === 0) return 'renewed';
      await this.flag.set(tx, walletId);
      return 'ended';
    });
  }

  /**
   * Ends the lease and schedules the next attempt. An attempt that was not sent does not count as unanswered, because
   * it cannot have used up the refresh token.
   */
  private async giveBack({ walletId, holder, failures }: ClaimedGrant, { isSent }: { isSent: boolean }): Promise<void> {
    const now = this.clock.now();
    const pauseMs = pauseAfter({
      walletId,
      failures,
      firstPauseMs: BACKOFF_MS,
      longestPauseMs: BACKOFF_MAX_MS,
    });
    await this.db.query(
      `update wallet_grants set holder = null, held_until = null, next_refresh_at = $3, updated_at = $4,
              unanswered = unanswered - $5
        where wallet_id = $1 and holder = $2`,
      [walletId, holder, new Date(now.getTime() + pauseMs), now, isSent ? 0 : 1],
    );
  }

  /**
   * Ends the lease and makes the grant due at once, because this process was too slow, which proves nothing about the
   * exchange.
   */
  private async release({ walletId, holder }: ClaimedGrant): Promise<void> {
    await this.db.query(
      `update wallet_grants set holder = null, held_until = null, next_refresh_at = $3,
              failures = failures - 1, unanswered = unanswered - 1
        where wallet_id = $1 and holder = $2`,
      [walletId, holder, this.clock.now()],
    );
  }

  /**
   * Returns the time BACKOFF_MS ago. If an attempt since then got no response, not even a waiting caller makes another
   * one.
   */
  private pausedSince(now: Date): Date {
    return new Date(now.getTime() - BACKOFF_MS);
  }
}
