import type { ProjectIdentity } from '#access';
import { ProviderError } from '#exchange';
import { DAY_MS } from '#platform/clock';
import { PingWallet } from '../sessions/ping-wallet.js';
import { grantedWallet, grantOf } from '../testing/granted-wallet.js';
import { RefusalHarness } from '../testing/refusal-harness.js';
import { authorizationFails, authorizedAs } from '../testing/scripted-authorizations.js';
import { RefreshGrant } from '../grants/refresh-grant.js';
import type { Wallet } from '../wallets/wallet.entity.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const GONE = { walletDeleted: true, deletionAt: null };
const KEPT = { walletDeleted: false, deletionAt: null };

describe('a call whose key is refused', () => {
  let refusals: RefusalHarness;
  let project: ProjectIdentity;
  let wallet: Wallet;
  let key: string;

  beforeAll(async () => {
    refusals = await RefusalHarness.create();
  });
  afterAll(() => refusals.harness.close());

  async function begin(mode: 'test' | 'live'): Promise<void> {
    project = await refusals.begin(mode);
    wallet = await refusals.connect(project);
    key = refusals.lastKey;
    refusals.answers.set(key, 'credentials_invalid');
  }

  const state = (): Promise<string> => refusals.stateOf(wallet);
  /** The worker checks the wallet for days, while the exchange accepts another key. */
  async function checkForDays(): Promise<void> {
    const other = await refusals.connect(project);
    await refusals.checkFor(wallet, 3 * DAY_MS, () => refusals.call(other, false));
  }

  describe('in a test project', () => {
    beforeEach(() => begin('test'));

    it('deletes the wallet at once', async () => {
      expect(await refusals.call(wallet)).toEqual(GONE);
      expect(await state()).toBe('deleted');
      expect(await refusals.eventsOf(wallet)).toEqual(['wallet.deleted']);
    });

    it('flags the wallet when the call wants no deletion, and the worker does not delete it either', async () => {
      expect(await refusals.call(wallet, false)).toEqual(KEPT);
      await checkForDays();
      expect(await state()).toBe('flagged');
    });

    it('flags the wallet while a hold needs its credentials; the worker deletes it after that', async () => {
      const holder = await refusals.hold(wallet);
      const result = await refusals.call(wallet);
      expect(result?.walletDeleted).toBe(false);
      expect(Date.parse(result?.deletionAt ?? '')).toBe((await refusals.rowOf(wallet))?.next_check_at.getTime());
      await refusals.check(wallet);
      expect(await state()).toBe('flagged');
      await refusals.release(wallet, holder);
      await refusals.check(wallet);
      expect(await state()).toBe('deleted');
    });
  });

  describe('in a live project', () => {
    beforeEach(() => begin('live'));

    it('flags the wallet and plans its deletion; later refused calls do not change the planned time', async () => {
      const before = refusals.harness.clock.now().getTime();
      const first = await refusals.call(wallet);
      const plannedMs = Date.parse(first?.deletionAt ?? '') - before;
      expect(first?.walletDeleted).toBe(false);
      expect(plannedMs).toBeGreaterThanOrEqual(HOUR_MS);
      expect(plannedMs).toBeLessThan(HOUR_MS + MINUTE_MS);
      refusals.harness.clock.advance(10 * MINUTE_MS);
      expect(await refusals.call(wallet)).toEqual(first);
      // A call without `autoDelete` does not change the planned deletion.
      expect(await refusals.call(wallet, false)).toEqual(first);
      expect(await refusals.eventsOf(wallet)).toEqual(['wallet.credentials.invalid']);
    });

    it('deletes the wallet at once when the exchange answers two calls with the code for a revoked key', async () => {
      refusals.answers.set(key, 'revoked');
      expect(await refusals.call(wallet, false)).toEqual(KEPT);
      expect(await refusals.call(wallet)).toEqual(GONE);
      expect(await state()).toBe('deleted');
    });

    it.each(['revoked', 'credentials_invalid'] as const)(
      'does not delete the wallet when only one of two calls gets the code for a revoked key: first %s',
      async (one) => {
        refusals.answers.set(key, one);
        refusals.onAsked = () => {
          if (refusals.harness.exchanges.opened.at(-1)?.fresh !== true) return;
          refusals.answers.set(key, one === 'revoked' ? 'credentials_invalid' : 'revoked');
        };
        expect(await refusals.call(wallet)).toMatchObject({ walletDeleted: false });
        expect(await state()).toBe('flagged');
      },
    );

    it('flags the wallet while a hold needs its revoked key; the worker deletes the wallet after that', async () => {
      const holder = await refusals.hold(wallet);
      refusals.answers.set(key, 'revoked');
      await refusals.call(wallet);
      await refusals.check(wallet);
      expect(await state()).toBe('flagged');
      await refusals.release(wallet, holder);
      await refusals.check(wallet);
      expect(await state()).toBe('deleted');
    });

    it('does nothing to the wallet when its credentials were replaced during the call', async () => {
      let asked = 0;
      refusals.onAsked = async () => {
        if (++asked === 2) await refusals.harness.replaceCredentials(project, wallet);
      };
      expect(await refusals.call(wallet)).toEqual(KEPT);
      expect([await state(), await refusals.rowOf(wallet)]).toEqual(['valid', null]);
    });
  });

  describe('to an account that its owner has authorized by OAuth, in a live project', () => {
    beforeEach(async () => {
      project = await refusals.begin('live');
      refusals.harness.authorizations.reset();
      wallet = await grantedWallet(refusals.harness, project, {
        accessLivesMs: HOUR_MS,
        createdAt: refusals.harness.clock.now(),
      });
      key = 'access-first';
      refusals.answers.set(key, 'credentials_invalid');
    });

    const endGrant = async (): Promise<void> => {
      const { revision } = (await grantOf(refusals.harness, wallet)) ?? {};
      await refusals.harness.get(RefreshGrant).execute(wallet.id, revision ?? '');
    };

    it('deletes the wallet at once when the authorization server answers that the grant has ended', async () => {
      refusals.harness.authorizations.onRefresh = authorizationFails('grant_ended');
      expect(await refusals.call(wallet)).toEqual(GONE);
      expect(await state()).toBe('deleted');
    });

    it('deletes the wallet at once when an earlier renewal showed that the grant has ended', async () => {
      refusals.harness.authorizations.onRefresh = authorizationFails('grant_ended');
      await endGrant();
      expect(await refusals.call(wallet)).toEqual(GONE);
    });

    it('never deletes the wallet when our own renewal, which got no response, may have ended the grant', async () => {
      refusals.harness.authorizations.onRefresh = authorizationFails('unavailable');
      await endGrant();
      refusals.harness.clock.advance(MINUTE_MS);
      refusals.harness.authorizations.onRefresh = authorizationFails('grant_ended');
      expect(await refusals.call(wallet)).toEqual(KEPT);
      await checkForDays();
      expect(await state()).toBe('flagged');
    });

    it('never deletes the wallet while the grant is valid, although its tokens are refused', async () => {
      let renewals = 0;
      refusals.harness.authorizations.onRefresh = () => {
        const name = `renewed-${++renewals}`;
        refusals.answers.set(`access-${name}`, 'credentials_invalid');
        return authorizedAs(name, { accessExpiresAt: new Date(refusals.harness.clock.now().getTime() + HOUR_MS) });
      };
      await expect(refusals.call(wallet)).rejects.toThrow('was renewed');
      expect(await refusals.call(wallet)).toEqual(KEPT);
      await checkForDays();
      expect(renewals).toBeGreaterThan(3);
      expect(await state()).toBe('flagged');
    });

    it('keeps the flag of an ended grant, even while its access token is accepted', async () => {
      refusals.harness.authorizations.onRefresh = authorizationFails('grant_ended');
      await refusals.call(wallet, false);
      refusals.answers.set(key, 'ok');
      await refusals.check(wallet);
      expect(await state()).toBe('flagged');
      expect((await refusals.rowOf(wallet))?.refusals).toBe(0);
      expect(await refusals.check(wallet)).toBeGreaterThan(MINUTE_MS);
    });
  });

  describe('a ping', () => {
    beforeEach(() => begin('live'));
    const ping = () => refusals.harness.get(PingWallet).execute(project, wallet.externalId);
    const answerSecondly = (answer: 'ok' | 'unavailable'): void => {
      let asked = 0;
      refusals.onAsked = () => void (++asked === 2 && refusals.answers.set(key, answer));
    };

    it('flags the wallet, and plans no deletion', async () => {
      expect(await ping()).toMatchObject({ keyInfo: null });
      expect([await state(), (await refusals.rowOf(wallet))?.deletion_wanted]).toEqual(['flagged', false]);
    });

    it('does not flag the wallet when a second call is accepted, because the credentials are valid', async () => {
      answerSecondly('ok');
      expect((await ping()).keyInfo).not.toBeNull();
      expect(await state()).toBe('valid');
    });

    it('does not flag the wallet when a second call proves nothing', async () => {
      answerSecondly('unavailable');
      await expect(ping()).rejects.toThrow(ProviderError);
      expect(await state()).toBe('valid');
    });
  });

  it('clears the flag when the exchange accepts the key in the second call', async () => {
    await begin('live');
    await refusals.call(wallet);
    let asked = 0;
    refusals.onAsked = () => void (++asked === 2 && refusals.answers.set(key, 'ok'));
    await expect(refusals.call(wallet)).rejects.toThrow(ProviderError);
    expect(await state()).toBe('valid');
  });
});
