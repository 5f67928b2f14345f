import pg from 'pg';
import { Projects, type ProjectIdentity } from '#access';
import { AuthorizationError, type Authorized } from '#exchange';
import type { SealedRecord } from '#platform/crypto';
import { Metrics } from '#platform/metrics';
import { grantedWallet, grantOf, type GrantRow } from '../testing/granted-wallet.js';
import { authorizationFails, authorizedAs } from '../testing/scripted-authorizations.js';
import { eraseCredentials, holdCredentials } from '../testing/replace-credentials.js';
import { createWalletHarness, type WalletHarness } from '../testing/wallet-harness.js';
import { WalletCredentials } from '../credentials/wallet-credentials.service.js';
import type { Wallet } from '../wallets/wallet.entity.js';
import { Wallets } from '../wallets/wallets.service.js';
import { OverdueGrantsMetrics } from './overdue-grants.metrics.js';
import { RefreshGrant } from './refresh-grant.js';
import type { Renewal } from './renewal.js';
import { openRefreshToken } from './sealed-grant.js';
import { StoreGrant } from './store-grant.js';

const LEASE_MS = 60_000;
const AHEAD_MS = 300_000;
/** The default of EXCHANGE_TIMEOUT_MS. */
const TIMEOUT_MS = 10_000;
const FIRST_PAUSE_MS = 30_000;
const HOUR_MS = 3_600_000;

describe('renewing the tokens of a wallet', () => {
  let harness: WalletHarness;
  let beside: WalletHarness;
  let project: ProjectIdentity;
  let wallet: Wallet;
  let first: GrantRow;

  beforeAll(async () => {
    harness = await createWalletHarness({ providers: [OverdueGrantsMetrics] });
    beside = await createWalletHarness({ beside: harness });
  });
  afterAll(async () => {
    await beside.close();
    await harness.close();
  });
  beforeEach(async () => {
    harness.authorizations.reset();
    project = await harness.project('test');
    wallet = await grantedWallet(harness, project, { accessLivesMs: HOUR_MS });
    first = await grant();
  });

  async function grant(): Promise<GrantRow> {
    const row = await grantOf(harness, wallet);
    if (row === null) throw new Error('no grant');
    return row;
  }
  const renew = (process = harness, { revision } = first): Promise<Renewal> =>
    process.get(RefreshGrant).execute(wallet.id, revision);
  const target = () => harness.get(WalletCredentials).target(wallet.id, { deletedToo: true });
  const answers = (name: string, accessLivesMs = HOUR_MS): Authorized =>
    authorizedAs(name, { accessExpiresAt: new Date(harness.clock.now().getTime() + accessLivesMs) });
  const isFlagged = async (): Promise<boolean> =>
    (await harness.get(Wallets).get(project, wallet.externalId)).invalidApi;
  const eventsOf = async (): Promise<string[]> =>
    (await harness.db.query<{ type: string }>(`select type from events where project_id = $1`, [project.id])).map(
      ({ type }) => type,
    );
  async function refreshToken(): Promise<string> {
    const [row] = await harness.db.query<{ sealed: SealedRecord }>(
      `select sealed from wallet_grants where wallet_id = $1`,
      [wallet.id],
    );
    const write = await harness.get(WalletCredentials).lastWrite(wallet.id);
    if (row === undefined || write === null) throw new Error('no grant');
    return (await openRefreshToken(harness.vault, { project, walletId: wallet.id }, row.sealed, write)).reveal();
  }
  async function asOwner(statement: (roles: string) => string): Promise<void> {
    const client = new pg.Client(harness.database.ownerUrl);
    await client.connect();
    await client.query(statement('causeway_api, causeway_worker, causeway_cli'));
    await client.end();
  }
  /** Delays the exchange's response to the next renewal until `answer` or `fail` is called. */
  function holdRefresh(): {
    isAsked: Promise<void>;
    answer: (authorized: Authorized) => void;
    fail: (error: Error) => void;
  } {
    let asked: () => void;
    const isAsked = new Promise<void>((resolve) => (asked = resolve));
    let answer: (authorized: Authorized) => void = () => undefined;
    let fail: (error: Error) => void = () => undefined;
    const answered = new Promise<Authorized>((resolve, reject) => {
      answer = resolve;
      fail = reject;
    });
    harness.authorizations.onRefresh = () => {
      asked();
      return answered;
    };
    return { isAsked, answer, fail };
  }

  it('stores the new access and refresh tokens, and keeps the credential version', async () => {
    const before = await target();
    harness.authorizations.onRefresh = () => answers('second');
    const replacedSince = harness.clock.now();
    expect(await renew()).toBe('renewed');
    const after = await target();
    expect(after.credentials.apiKey.reveal()).toBe('access-second');
    expect(await refreshToken()).toBe('refresh-second');
    expect(after.version).toBe(before.version);
    expect(after.credentialId).not.toBe(before.credentialId);
    expect(await harness.get(Wallets).hasNewCredentials(wallet.id, replacedSince)).toBe(false);
    expect(await grant()).toMatchObject({ failures: 0, holder: null, scopes: ['read'] });
    const { access_expires_at: expiresAt, next_refresh_at: dueAt } = await grant();
    expect((expiresAt?.getTime() ?? 0) - (dueAt?.getTime() ?? 0)).toBe(AHEAD_MS);
  });

  it('keeps the stored scopes unless the response contains scopes', async () => {
    harness.authorizations.onRefresh = () => ({ ...answers('second'), scopes: [] });
    await renew();
    expect((await grant()).scopes).toEqual(['read']);
    harness.clock.advance(FIRST_PAUSE_MS);
    harness.authorizations.onRefresh = () => ({ ...answers('third'), scopes: ['read', 'trade'] });
    await renew(harness, await grant());
    expect((await grant()).scopes).toEqual(['read', 'trade']);
  });

  it('keeps the known expiry when the exchange returns the same refresh token, and drops it for a new refresh token', async () => {
    const refreshExpiresAt = new Date(harness.clock.now().getTime() + 24 * HOUR_MS);
    harness.authorizations.onRefresh = () => authorizedAs('second', { refreshExpiresAt });
    await renew();
    const endAfter = async (name: string) => {
      harness.authorizations.onRefresh = () => answers(name);
      await renew(harness, await grant());
      return (await grant()).refresh_expires_at;
    };
    expect([await endAfter('second'), await endAfter('third')]).toEqual([refreshExpiresAt, null]);
  });

  it('makes no request when the tokens were renewed since the caller read them', async () => {
    harness.authorizations.onRefresh = () => answers('second');
    await renew();
    expect(await renew()).toBe('renewed');
    expect(harness.authorizations.refreshed).toEqual(['refresh-first']);
  });

  it('sends one request when two processes begin at once', async () => {
    const { isAsked, answer } = holdRefresh();
    const renewals = [renew(harness), renew(beside)];
    await isAsked;
    const busy = await Promise.race(renewals);
    expect(busy).toBe('busy');
    answer(answers('second'));
    expect((await Promise.all(renewals)).sort()).toEqual(['busy', 'renewed']);
    expect(harness.authorizations.refreshed).toEqual(['refresh-first']);
    expect(await renew(beside)).toBe('renewed');
  });

  describe('without success', () => {
    it('keeps the refresh token, and doubles the pause each time', async () => {
      harness.authorizations.onRefresh = authorizationFails('unavailable');
      for (const pauseMs of [FIRST_PAUSE_MS, 2 * FIRST_PAUSE_MS, 4 * FIRST_PAUSE_MS]) {
        expect(await renew()).toBe('unavailable');
        const dueInMs = ((await grant()).next_refresh_at?.getTime() ?? 0) - harness.clock.now().getTime();
        expect(dueInMs).toBeGreaterThan(pauseMs - 2_000);
        expect(dueInMs).toBeLessThanOrEqual(pauseMs * 1.1);
        harness.clock.advance(dueInMs);
      }
      harness.authorizations.onRefresh = () => answers('second');
      expect(await renew()).toBe('renewed');
      expect(await isFlagged()).toBe(false);
    });

    it('makes no other request during the first pause, not even in another process', async () => {
      await renew();
      expect(await renew(beside)).toBe('unavailable');
      expect(harness.authorizations.refreshed).toHaveLength(1);
      harness.clock.advance(FIRST_PAUSE_MS);
      await renew(beside);
      expect(harness.authorizations.refreshed).toEqual(['refresh-first', 'refresh-first']);
    });

    it.each(['exchange_failed', 'denied', 'insufficient_scope'] as const)('keeps the grant: %s', async (failure) => {
      harness.authorizations.onRefresh = authorizationFails(failure);
      expect(await renew()).toBe('unavailable');
      expect([await isFlagged(), (await grant()).ended_at]).toEqual([false, null]);
    });

    it('is repeated with the same token after the lease when the renewing process has died', async () => {
      const { isAsked } = holdRefresh();
      void renew();
      await isAsked;
      harness.authorizations.onRefresh = () => answers('second');
      expect(await renew(beside)).toBe('busy');
      harness.clock.advance(LEASE_MS);
      expect(await renew(beside)).toBe('renewed');
      expect(harness.authorizations.refreshed).toEqual(['refresh-first', 'refresh-first']);
    });
  });

  it('sends no request while the configured OAuth client id is not that of the grant', async () => {
    harness.authorizations.onRefresh = authorizationFails('grant_ended');
    for (const registeredAs of ['another client', null]) {
      harness.authorizations.registeredAs = registeredAs;
      expect(await renew()).toBe('unavailable');
      harness.clock.advance(FIRST_PAUSE_MS);
    }
    expect(harness.authorizations.refreshed).toEqual([]);
    expect([await isFlagged(), await grant()]).toMatchObject([
      false,
      { ended_at: null, holder: null, failures: 2, unanswered: 0 },
    ]);

    harness.authorizations.registeredAs = 'client';
    harness.authorizations.onRefresh = () => answers('second');
    expect(await renew()).toBe('renewed');
  });

  describe('by a process that was suspended after its claim', () => {
    async function stoppedFor(ms: number): Promise<Renewal> {
      const projects = harness.get(Projects);
      const getContext = projects.getContext.bind(projects);
      projects.getContext = (id) => {
        harness.clock.advance(ms);
        return getContext(id);
      };
      return renew().finally(() => (projects.getContext = getContext));
    }

    it.each([0, LEASE_MS - TIMEOUT_MS - 1_000])('is made when enough of the lease is left: after %d ms', async (ms) => {
      harness.authorizations.onRefresh = () => answers('second');
      expect(await stoppedFor(ms)).toBe('renewed');
    });

    it.each([LEASE_MS - TIMEOUT_MS, 2 * LEASE_MS])('is left to another process after %d ms', async (ms) => {
      harness.authorizations.onRefresh = () => answers('second');
      expect(await stoppedFor(ms)).toBe('unavailable');
      expect(harness.authorizations.refreshed).toEqual([]);
      expect(await grant()).toMatchObject({ revision: first.revision, holder: null, failures: 0, unanswered: 0 });
      expect((await grant()).next_refresh_at?.getTime()).toBeLessThanOrEqual(harness.clock.now().getTime());
      expect(await renew(beside)).toBe('renewed');
    });
  });

  describe('with a response after the end of the lease', () => {
    it('stores the tokens, although a later response to another process states that the grant has ended', async () => {
      const { isAsked, answer } = holdRefresh();
      const late = renew();
      await isAsked;
      harness.clock.advance(LEASE_MS);
      const other = holdRefresh();
      const second = renew(beside);
      await other.isAsked;
      answer(answers('second'));
      expect(await late).toBe('renewed');
      other.fail(new AuthorizationError('grant_ended', 'kraken', 'used'));
      expect(await second).toBe('renewed');
      expect(await refreshToken()).toBe('refresh-second');
      expect([await isFlagged(), (await grant()).ended_at]).toEqual([false, null]);
    });

    it('stores the tokens, and deletes the end of the grant that another process has recorded', async () => {
      const { isAsked, answer } = holdRefresh();
      const late = renew();
      await isAsked;
      harness.clock.advance(LEASE_MS);
      harness.authorizations.onRefresh = authorizationFails('grant_ended');
      expect(await renew(beside)).toBe('ended');
      answer(answers('second'));
      expect(await late).toBe('renewed');
      expect(await refreshToken()).toBe('refresh-second');
      expect([await isFlagged(), (await grant()).ended_at]).toEqual([false, null]);
    });
  });

  it('stores the tokens as soon as the database accepts them, even long after the lease', async () => {
    harness.authorizations.onRefresh = async () => {
      await asOwner((roles) => `revoke update on wallet_grants from ${roles}`);
      return answers('second');
    };
    let failures = 0;
    const sleep = harness.clock.sleep.bind(harness.clock);
    harness.clock.sleep = async () => {
      harness.clock.advance(LEASE_MS / 2);
      if (++failures === 5) await asOwner((roles) => `grant update on wallet_grants to ${roles}`);
    };
    expect(await renew()).toBe('renewed');
    harness.clock.sleep = sleep;
    expect(failures).toBe(5);
    expect(await refreshToken()).toBe('refresh-second');
    expect(harness.authorizations.refreshed).toEqual(['refresh-first']);
  });

  it('stops trying to store the tokens once they have expired', async () => {
    harness.authorizations.onRefresh = async () => {
      await asOwner((roles) => `revoke update on wallet_grants from ${roles}`);
      return answers('second', LEASE_MS);
    };
    const sleep = harness.clock.sleep.bind(harness.clock);
    const pauses: number[] = [];
    harness.clock.sleep = (ms) => {
      pauses.push(ms);
      harness.clock.advance(LEASE_MS / 5);
      return Promise.resolve();
    };
    await expect(renew()).rejects.toThrow('permission denied');
    harness.clock.sleep = sleep;
    await asOwner((roles) => `grant update on wallet_grants to ${roles}`);
    expect(pauses).toEqual([200, 400, 800, 1_600, 2_000]);
  });

  describe('when the exchange answers that the grant has ended', () => {
    beforeEach(async () => {
      harness.authorizations.onRefresh = authorizationFails('grant_ended');
      expect(await renew()).toBe('ended');
    });

    it('flags the wallet, records one event, deletes nothing, and makes no more requests', async () => {
      expect(await isFlagged()).toBe(true);
      expect(await eventsOf()).toEqual(['wallet.credentials.invalid']);
      expect((await target()).grant?.isEnded).toBe(true);
      expect(await grant()).toMatchObject({ next_refresh_at: null, holder: null });
      harness.clock.advance(HOUR_MS);
      expect(await renew()).toBe('ended');
      expect(harness.authorizations.refreshed).toHaveLength(1);
    });

    it('removes the flag and the grant when the credentials are replaced', async () => {
      await harness.replaceCredentials(project, wallet);
      expect(await isFlagged()).toBe(false);
      expect(await grantOf(harness, wallet)).toBeNull();
    });
  });

  it('discards the new tokens when the credentials were replaced during the request', async () => {
    const { isAsked, answer } = holdRefresh();
    const renewal = renew();
    await isAsked;
    await harness.replaceCredentials(project, wallet);
    answer(answers('second'));
    expect(await renewal).toBe('renewed');
    expect((await target()).credentials.apiKey.reveal()).toBe('new-key');
    expect((await target()).grant).toBeNull();
    expect(harness.authorizations.revoked).toEqual([]);
  });

  it('revokes the new grant at the exchange when the wallet was deleted during the request', async () => {
    const { isAsked, answer } = holdRefresh();
    const renewal = renew();
    await isAsked;
    await eraseCredentials(harness.database.ownerUrl, wallet);
    answer(answers('second'));
    expect(await renewal).toBe('renewed');
    expect(harness.authorizations.revoked).toEqual(['refresh-second']);
    expect(await grantOf(harness, wallet)).toBeNull();
  });

  it('is possible for a deleted wallet whose credentials are held', async () => {
    await holdCredentials(harness, wallet);
    await harness.db.query(`update wallets set deleted_at = now() where id = $1`, [wallet.id]);
    harness.authorizations.onRefresh = () => answers('second');
    expect(await renew()).toBe('renewed');
    expect((await target()).credentials.apiKey.reveal()).toBe('access-second');
  });

  it('stores a token that never expires, removes the grant, and changes the credential id', async () => {
    const before = await target();
    harness.authorizations.onRefresh = () => authorizedAs('last', null);
    expect(await renew()).toBe('renewed');
    expect(await grantOf(harness, wallet)).toBeNull();
    expect((await target()).credentialId).not.toBe(before.credentialId);
  });

  it('leaves no readable token in the database', async () => {
    harness.authorizations.onRefresh = () => answers('second');
    await renew();
    const rows = JSON.stringify(
      await harness.db.query(`select g.*, c.* from wallet_grants g join wallet_credentials c using (wallet_id)`),
    );
    expect(rows).not.toMatch(/(access|refresh)-(first|second)/);
  });

  it('is counted in the metrics, which also show due and failing grants and the time since the earliest expiry', async () => {
    await harness.db.query(`delete from wallet_grants where wallet_id <> $1`, [wallet.id]);
    harness.get(Metrics).registry.resetMetrics();
    await renew();
    harness.clock.advance(HOUR_MS + 60_000);
    const text = await harness.get(Metrics).registry.metrics();
    expect(text).toContain('causeway_grant_refreshes_total{exchange="kraken",outcome="unavailable"} 1');
    expect(text).toMatch(/^causeway_grants_due 1$/m);
    expect(text).toMatch(/^causeway_grants_failing 1$/m);
    expect(Number(/^causeway_grant_expired_seconds (.*)$/m.exec(text)?.[1])).toBeGreaterThanOrEqual(60);
  });

  it('makes no request after a connect by API key has removed the grant', async () => {
    const owner = { project, walletId: wallet.id, sealer: await harness.vault.sealer(project) };
    await harness.db.transaction((tx) => harness.get(StoreGrant).execute(tx, owner, null, []));
    expect(await grantOf(harness, wallet)).toBeNull();
    expect(await renew()).toBe('renewed');
    expect(harness.authorizations.refreshed).toEqual([]);
  });
});
