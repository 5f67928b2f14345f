import { Shutdown } from '#platform/lifecycle';
import { authorizedAs } from '#wallet/testing';
import { BrowserCookies } from '../session/browser-cookies.js';
import { InvalidState } from '../session/connect.errors.js';
import { createConnectHarness, type ConnectHarness, type OpenedByBrowser } from '../testing/connect-harness.js';
import { BeginOAuth } from './begin-oauth.js';
import { FinishOAuth } from './finish-oauth.js';

describe('a connect in progress', () => {
  it('delays the stop of its process until it has ended, because the browser may already have been redirected', async () => {
    const harness = await createConnectHarness();
    try {
      const opened = await harness.open(await harness.fresh());
      const { asked, answer } = harness.holdFinish();
      const connected = harness.authorize(opened);
      await asked;
      const stopped = harness.get(Shutdown).begin();
      answer(authorizedAs('finished'));
      await stopped;
      expect(await harness.sessionOf(opened.idem)).toMatchObject({ state: 'connected' });
      expect(await connected).toBeNull();
    } finally {
      await harness.close();
    }
  });
});

describe('a callback of the exchange', () => {
  const EXCHANGE = 'kraken';
  let harness: ConnectHarness;
  let opened: OpenedByBrowser;
  let finished: number;

  beforeAll(async () => (harness = await createConnectHarness()));
  afterAll(() => harness.close());
  beforeEach(async () => {
    opened = await harness.open(await harness.fresh());
    finished = 0;
    harness.script.finish = () => {
      finished += 1;
      return Promise.resolve(authorizedAs('finished'));
    };
    await harness.get(BeginOAuth).execute(opened.token, opened.browser);
  });

  const stateOf = (): string => harness.script.states.at(-1) ?? '';
  const cookieOf = ({ cookie }: OpenedByBrowser): string => harness.get(BrowserCookies).serialize(cookie);
  const back = (parameters: URLSearchParams, cookieHeader: string | undefined, exchange = EXCHANGE) =>
    harness.get(FinishOAuth).execute(exchange, parameters, { cookieHeader, address: '192.0.2.1' });
  const withState = (...states: string[]): URLSearchParams => {
    const parameters = new URLSearchParams({ code: 'c' });
    for (const state of states) parameters.append('state', state);
    return parameters;
  };
  /** Nothing has happened to the session, and its own browser can still connect. */
  const isUnchanged = async (): Promise<void> => {
    expect(finished).toBe(0);
    expect(await harness.sessionOf(opened.idem)).toMatchObject({ state: 'authorizing', error: null });
    expect(await (await back(withState(stateOf()), cookieOf(opened))).outcome).toBeNull();
    expect(await harness.sessionOf(opened.idem)).toMatchObject({ state: 'connected' });
  };

  it('is refused without the cookie of the session, and changes nothing', async () => {
    await expect(back(withState(stateOf()), undefined)).rejects.toThrow(InvalidState);
    await isUnchanged();
  });

  it('is refused with the cookie of another session, and changes nothing', async () => {
    const state = stateOf();
    const other = await harness.open(await harness.fresh());
    await expect(back(withState(state), cookieOf(other))).rejects.toThrow(InvalidState);
    const { name } = opened.cookie;
    await expect(back(withState(state), `${name}=${other.browser}`)).rejects.toThrow(InvalidState);
    expect(await harness.sessionOf(opened.idem)).toMatchObject({ state: 'authorizing', error: null });
  });

  it('is refused for another exchange than that of the session, and changes nothing', async () => {
    await expect(back(withState(stateOf()), cookieOf(opened), 'okx')).rejects.toThrow(InvalidState);
    await isUnchanged();
  });

  it.each([
    ['without a state', () => withState()],
    ['with two states', () => withState(stateOf(), stateOf())],
    ['with a state that was never issued', () => withState('another')],
  ])('is refused %s, and changes nothing', async (_what, parameters) => {
    await expect(back(parameters(), cookieOf(opened))).rejects.toThrow(InvalidState);
    await isUnchanged();
  });

  it('is accepted once, and a repeat asks the exchange for nothing', async () => {
    const parameters = withState(stateOf());
    expect(await (await back(parameters, cookieOf(opened))).outcome).toBeNull();
    expect(await (await back(parameters, cookieOf(opened))).outcome).toBeNull();
    expect(finished).toBe(1);
  });

  it('of an earlier attempt of the session is refused to be finished', async () => {
    const earlier = stateOf();
    await harness.get(BeginOAuth).execute(opened.token, opened.browser);
    const { outcome } = await back(withState(earlier), cookieOf(opened));
    expect(await outcome).toBeNull();
    expect(finished).toBe(0);
    expect(await harness.sessionOf(opened.idem)).toMatchObject({ state: 'authorizing' });
  });
});
