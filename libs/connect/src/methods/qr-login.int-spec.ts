import { testOverrides } from '#platform/config';
import type { ProjectIdentity } from '#access';
import { AuthorizationError, type QrLoginState } from '#exchange';
import { authorizedAs } from '#wallet/testing';
import { createConnectHarness, type ConnectHarness } from '../testing/connect-harness.js';
import { CancelSession } from '../session/cancel-session.js';
import { BeginQr } from './begin-qr.js';
import { PollDueQrLogin } from './poll-due-qr-login.js';
import { ReadQr } from './read-qr.js';
import { SessionStore } from '../session/session-store.js';

const PAUSE_MS = 1_001;
const LEASE_MS = 8_000;
/** Maximum number of new codes of one attempt. */
const RENEWALS = 60;

describe('a login with the app of the exchange', () => {
  let harness: ConnectHarness;
  let project: ProjectIdentity;

  beforeAll(async () => {
    harness = await createConnectHarness(testOverrides({ CONNECT_ATTEMPTS_MAX: 3 }));
  });
  afterAll(() => harness.close());
  beforeEach(async () => {
    project = await harness.fresh();
  });

  /** The response of the exchange, which the test controls. */
  const slowAnswer = () => {
    let answer: (state: QrLoginState) => void = () => undefined;
    const asked = new Promise<void>((resolve) => {
      harness.script.readQr = () => {
        resolve();
        return new Promise((settle) => (answer = settle));
      };
    });
    return { asked, answer: (state: QrLoginState) => answer(state) };
  };

  it('counts as an attempt, which limits the number of QR codes that the exchange creates', async () => {
    const { idem, token, browser } = await harness.open(project);
    const begin = () => harness.get(BeginQr).execute(token, browser);
    const { beginQr } = harness.script;
    let asked = 0;
    harness.script.beginQr = (...args) => {
      asked += 1;
      return beginQr(...args);
    };
    for (let count = 1; count <= 3; count++) {
      await begin();
      expect(await harness.sessionOf(idem)).toMatchObject({ state: 'scanning', attempts: count });
    }
    await expect(begin()).rejects.toMatchObject({ code: 'OAUTH_AUTHORIZATION_FAILED' });
    expect(asked).toBe(3);
    expect(await harness.sessionOf(idem)).toMatchObject({ state: 'failed', attempts: 3 });
    expect(await harness.publishedOf(idem)).toEqual([
      'available',
      'available',
      'available',
      'OAUTH_AUTHORIZATION_FAILED',
    ]);
  });

  it('counts as one attempt and not as two when the person denies it', async () => {
    const { idem, token, browser } = await harness.open(project);
    harness.script.readQr = () => Promise.resolve({ status: 'denied' });
    for (const [attempts, state] of [
      [1, 'opened'],
      [2, 'opened'],
      [3, 'failed'],
    ] as const) {
      await harness.get(BeginQr).execute(token, browser);
      harness.clock.advance(PAUSE_MS);
      await harness.get(ReadQr).execute(token, browser);
      expect(await harness.sessionOf(idem)).toMatchObject({ state, attempts });
    }
  });

  it('begins no more often than attempts are allowed when many requests come at once', async () => {
    const { token, browser } = await harness.open(project);
    const { beginQr } = harness.script;
    let asked = 0;
    harness.script.beginQr = (...args) => {
      asked += 1;
      return beginQr(...args);
    };
    const tries = Array.from({ length: 12 }, () => harness.get(BeginQr).execute(token, browser));
    const ended = await Promise.allSettled(tries);
    expect(ended.some(({ status }) => status === 'fulfilled')).toBe(true);
    expect(asked).toBeLessThanOrEqual(3);
  });

  describe('whose code expires', () => {
    const polled = async ({ token, browser }: { token: string; browser: string }): Promise<unknown> => {
      harness.clock.advance(PAUSE_MS);
      return await harness.get(ReadQr).execute(token, browser);
    };

    it('shows a new code, a limited number of times, without using up another attempt', async () => {
      const opened = await harness.open(project);
      await harness.get(BeginQr).execute(opened.token, opened.browser);
      harness.script.readQr = () => Promise.resolve({ status: 'expired' });
      for (let renewal = 1; renewal <= RENEWALS; renewal++) {
        expect(await polled(opened)).toMatchObject({ state: 'scanning', qrStatus: 'waiting' });
      }
      expect(await harness.sessionOf(opened.idem)).toMatchObject({ state: 'scanning', attempts: 1 });
      const published = await harness.publishedOf(opened.idem);
      expect(published.slice(-2)).toEqual(['expired', 'available']);
      expect(await polled(opened)).toMatchObject({ state: 'opened' });
      expect(await harness.sessionOf(opened.idem)).toMatchObject({ attempts: 1 });
    });

    it('ends the attempt when the exchange gives no new code', async () => {
      const opened = await harness.open(project);
      await harness.get(BeginQr).execute(opened.token, opened.browser);
      harness.script.readQr = () => Promise.resolve({ status: 'expired' });
      harness.script.beginQr = () => Promise.reject(new AuthorizationError('qr_unavailable', 'kraken', 'away'));
      expect(await polled(opened)).toMatchObject({ state: 'opened', qrStatus: null });
      expect(await harness.publishedOf(opened.idem)).toEqual(['available', 'expired', 'OAUTH_QR_CODE_UNAVAILABLE']);
      expect(await harness.sessionOf(opened.idem)).toMatchObject({ attempts: 1 });
    });

    it('shows a new code although a process has died after it requested one', async () => {
      const opened = await harness.open(project);
      await harness.get(BeginQr).execute(opened.token, opened.browser);
      harness.script.readQr = () => Promise.resolve({ status: 'expired' });
      const { beginQr } = harness.script;
      const asked = new Promise<void>((resolve) => {
        harness.script.beginQr = () => {
          resolve();
          return new Promise(() => undefined);
        };
      });
      void polled(opened);
      await asked;
      harness.script.beginQr = beginQr;
      expect(await polled(opened)).toMatchObject({ state: 'scanning', qrStatus: 'waiting' });
      expect(await harness.publishedOf(opened.idem)).toEqual(['available', 'expired', 'available']);
    });
  });

  it('is polled by a worker only while the lease of the job lasts', async () => {
    const { idem, token, browser } = await harness.open(project);
    await harness.get(BeginQr).execute(token, browser);
    const store = harness.get(SessionStore);
    harness.script.readQr = () => Promise.resolve({ status: 'scanned' });
    const [row] = await harness.db.query<{ id: string }>(`select id from connect_sessions where idem = $1`, [idem]);
    const sessionId = row?.id ?? '';
    const { ids, until } = await store.takeDuePolls(100, LEASE_MS);
    expect(ids).toContain(sessionId);
    expect((await store.takeDuePolls(100, LEASE_MS)).ids).toEqual([]);
    await harness.get(PollDueQrLogin).execute(sessionId, until);
    // A job that runs twice does nothing the second time.
    await harness.get(PollDueQrLogin).execute(sessionId, until);
    expect(await harness.publishedOf(idem)).toEqual(['available', 'scanned']);

    const late = await store.takeDuePolls(100, LEASE_MS);
    expect(late.ids).toContain(sessionId);
    harness.clock.advance(LEASE_MS);
    harness.script.readQr = () => Promise.resolve({ status: 'denied' });
    await harness.get(PollDueQrLogin).execute(sessionId, late.until);
    expect(await harness.sessionOf(idem)).toMatchObject({ state: 'scanning' });
  });

  it('is polled by one request at a time, however long the exchange takes', async () => {
    const { idem, token, browser } = await harness.open(project);
    await harness.get(BeginQr).execute(token, browser);
    const slow = slowAnswer();
    const first = harness.get(ReadQr).execute(token, browser);
    await slow.asked;
    // A second poll would get "expired", because the exchange returns tokens only once.
    harness.script.readQr = () => Promise.resolve({ status: 'expired' });
    harness.clock.advance(PAUSE_MS);
    expect(await harness.get(ReadQr).execute(token, browser)).toMatchObject({ state: 'scanning' });
    slow.answer({ status: 'confirmed', authorized: authorizedAs('confirmed') });
    expect(await first).toMatchObject({ state: 'connected' });
    expect(await harness.publishedOf(idem)).toEqual(['available', 'confirmed', true]);
    expect(harness.authorizations.revoked).toEqual([]);
  });

  it('has its authorization revoked when it is confirmed while the person cancels', async () => {
    const { idem, token, browser } = await harness.open(project);
    await harness.get(BeginQr).execute(token, browser);
    const slow = slowAnswer();
    const look = harness.get(ReadQr).execute(token, browser);
    await slow.asked;
    await harness.get(CancelSession).execute(token, browser);
    slow.answer({ status: 'confirmed', authorized: authorizedAs('unwanted') });
    expect(await look).toMatchObject({ state: 'failed' });
    expect(harness.authorizations.revoked).toEqual(['refresh-unwanted']);
    expect(await harness.publishedOf(idem)).toEqual(['available', 'OAUTH_AUTHORIZATION_FAILED']);
  });
});
