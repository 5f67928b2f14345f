import type { ProjectIdentity } from '#access';
import type { QrLoginState } from '#exchange';
import { authorizedAs } from '#wallet/testing';
import { createConnectHarness, type ConnectHarness } from '../testing/connect-harness.js';
import { CancelSession } from '../session/cancel-session.js';
import { BeginQr, ReadQr } from './qr-login.js';

const PAUSE_MS = 1_001;

describe('a login with the app of the exchange', () => {
  let harness: ConnectHarness;
  let project: ProjectIdentity;

  beforeAll(async () => {
    harness = await createConnectHarness({ CONNECT_ATTEMPTS_MAX: '3' });
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

  it('counts as an attempt, so that the number of codes from the exchange is limited', async () => {
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

  it('counts once, whether it is used or not', async () => {
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

  it('begins no more often when many requests come at once', async () => {
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

  it('is polled by one request at a time, however long the exchange takes', async () => {
    const { idem, token, browser } = await harness.open(project);
    await harness.get(BeginQr).execute(token, browser);
    const slow = slowAnswer();
    const first = harness.get(ReadQr).execute(token, browser);
    await slow.asked;
    // An exchange that returns tokens only once would respond with "expired" to a second poll.
    harness.script.readQr = () => Promise.resolve({ status: 'expired' });
    harness.clock.advance(PAUSE_MS);
    expect(await harness.get(ReadQr).execute(token, browser)).toMatchObject({ state: 'scanning' });
    slow.answer({ status: 'confirmed', authorized: authorizedAs('confirmed') });
    expect(await first).toMatchObject({ state: 'connected' });
    expect(await harness.publishedOf(idem)).toEqual(['available', 'confirmed', true]);
    expect(harness.authorizations.revoked).toEqual([]);
  });

  it('is revoked when it is confirmed while the person cancels', async () => {
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
