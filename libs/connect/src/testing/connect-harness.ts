import { AccessModule, type Caller, type ProjectIdentity } from '#access';
import { createApiKey } from '#access/testing';
import type { Authorizations, Authorized, ConnectMethod, QrLoginState } from '#exchange';
import { Secret } from '#platform/crypto';
import { authorizedAs, createWalletHarness, type WalletHarness } from '#wallet/testing';
import { ConnectTokens } from '../session/connect-tokens.js';
import { ConnectModule } from '../connect.module.js';
import { PollDueQrLogin } from '../methods/poll-due-qr-login.js';
import { BeginOAuth } from '../methods/begin-oauth.js';
import { BeginSession } from '../begin/begin-session.js';
import { ReadOutcome } from '../listen/read-outcome.js';
import type { BrowserCookie } from '../session/connect-view.js';
import { BrowserCookies } from '../session/browser-cookies.js';
import { FinishOAuth } from '../methods/finish-oauth.js';
import { OpenSession } from '../session/open-session.js';
import { SessionLifecycle } from '../session/session-lifecycle.js';
import { SessionStore } from '../session/session-store.js';
import { ExpiredSessions } from '../session/expired-sessions.js';
import { SweepSessions } from '../session/sweep-sessions.js';

type Asked = Pick<Authorizations, 'connectMethods' | 'begin' | 'finish' | 'discard' | 'beginQr' | 'readQr'>;

/** Responses of the scripted authorizations. A test replaces single members. */
export interface ConnectScript extends Asked {
  states: string[];
  reset(): void;
}

/** A session that a browser has opened. */
export interface OpenedByBrowser {
  idem: string;
  token: string;
  browser: string;
  cookie: BrowserCookie;
}

export interface ConnectHarness extends WalletHarness {
  script: ConnectScript;
  /** Resets the scripted exchanges and authorizations, and creates a new project. */
  fresh(): Promise<ProjectIdentity>;
  /** @param origin of a page that begins without an API key. Absent: the session begins with a new API key. */
  begin(project: ProjectIdentity, externalWalletId?: string, origin?: string): Promise<{ idem: string; token: string }>;
  open(project: ProjectIdentity, externalWalletId?: string, origin?: string): Promise<OpenedByBrowser>;
  /** Sends the person to the exchange and back, up to the callback. */
  authorize(opened: OpenedByBrowser, address?: string): Promise<Error | null>;
  /** Delays the next `finish` of the exchange: `asked` resolves when the call has begun, and `answer` completes it. */
  holdFinish(): { asked: Promise<void>; answer: (authorized: Authorized) => void };
  sessionOf(idem: string): Promise<{ state: string; attempts: number; error: { type: string } | null }>;
  /** The messages on the topic, each as the error's code, `success`, or the status of the QR code. */
  publishedOf(idem: string): Promise<unknown[]>;
}

const NOTHING = {
  access: null,
  method: null,
  country: null,
  detectedCountry: null,
  returnUrl: null,
  openerOrigin: null,
};
const EVERY_WAY: ConnectMethod[] = ['oauth', 'qr', 'key'];

/** Creates a harness for connect sessions, with its own database and with scripted exchanges and authorizations. */
export async function createConnectHarness(settings: Record<string, string> = {}): Promise<ConnectHarness> {
  const harness = await createWalletHarness({
    settings: { PUBLIC_URL: 'https://connect.example', ...settings },
    imports: [{ module: AccessModule }, { module: ConnectModule }],
    providers: [
      ...[ConnectTokens, ExpiredSessions, PollDueQrLogin, ReadOutcome, SweepSessions, SessionLifecycle, SessionStore],
    ],
  });
  const script = scriptOf(harness);
  Object.assign(harness.authorizations, askedOf(script));
  let count = 0;
  const callerOf = async (project: ProjectIdentity, origin: string | null): Promise<Caller> => {
    if (origin !== null) return { project, key: null, origin };
    const ids = { organizationId: project.organizationId, projectId: project.id };
    const { apiKeyId } = await createApiKey({ get: (token: never) => harness.get(token) }, ids);
    return { project, key: { ...project, apiKeyId, scopes: ['connect'] }, origin: null };
  };
  const begin: ConnectHarness['begin'] = async (project, externalWalletId = `w-${count}`, origin) => {
    const caller = await callerOf(project, origin ?? null);
    const idem = `idem-of-session-${++count}`;
    const input = { exchange: 'kraken', externalWalletId, idem, ...NOTHING };
    const { url } = await harness.get(BeginSession).execute(caller, input);
    return { idem, token: url.split('/').at(-1) ?? '' };
  };
  return {
    ...harness,
    script,
    fresh: () => {
      harness.exchanges.reset();
      harness.authorizations.reset();
      script.reset();
      return harness.project('test');
    },
    begin,
    open: async (project, externalWalletId, origin) => {
      const begun = await begin(project, externalWalletId, origin);
      const { browser, cookie } = await harness.get(OpenSession).execute(begun.token, null);
      if (cookie === null) throw new Error('another browser has opened the session');
      return { ...begun, browser, cookie };
    },
    authorize: async ({ token, browser, cookie }, address = '192.0.2.1') => {
      await harness.get(BeginOAuth).execute(token, browser);
      const parameters = new URLSearchParams({ state: script.states.at(-1) ?? '', code: 'c' });
      const header = harness.get(BrowserCookies).serialize(cookie);
      const { outcome } = await harness
        .get(FinishOAuth)
        .execute('kraken', parameters, { cookieHeader: header, address });
      return await outcome;
    },
    holdFinish: () => holdFinish(script),
    sessionOf: async (idem) => {
      const [row] = await harness.db.query<Awaited<ReturnType<ConnectHarness['sessionOf']>>>(
        `select state, attempts, error from connect_sessions where idem = $1`,
        [idem],
      );
      if (row === undefined) throw new Error('no such session');
      return row;
    },
    publishedOf: async (idem) => {
      const rows = await harness.db.query<{ shown: unknown }>(
        `select coalesce(body->'code', body->'success', body->'qrCodeStatus') as shown
           from topic_messages where topic = $1 order by position`,
        [idem],
      );
      return rows.map(({ shown }) => shown);
    },
  };
}

function scriptOf({ clock, authorizations }: WalletHarness): ConnectScript {
  const states: string[] = [];
  const usual: Asked = {
    connectMethods: () => EVERY_WAY,
    begin: () => {
      const state = `state-${clock.newId()}`;
      states.push(state);
      const url = `https://kraken.example/authorize?state=${state}`;
      return Promise.resolve({ url, state: new Secret(state), codeVerifier: new Secret('verifier') });
    },
    finish: () => Promise.resolve(authorizedAs('finished')),
    discard: async (target, { grant }) => {
      if (grant !== null) await authorizations.revoke(target, grant.refreshToken);
    },
    beginQr: () => {
      const expiresAt = new Date(clock.now().getTime() + 120_000);
      return Promise.resolve({ id: new Secret('login'), content: 'https://kraken.example/qr', expiresAt });
    },
    readQr: () => Promise.resolve<QrLoginState>({ status: 'waiting' }),
  };
  const script: ConnectScript = { ...usual, states, reset: () => void Object.assign(script, usual) };
  return script;
}

/** Returns authorizations that read the members of the script at each call, because a test may replace them. */
function askedOf(script: ConnectScript): Asked {
  return {
    connectMethods: (...args) => script.connectMethods(...args),
    begin: (...args) => script.begin(...args),
    finish: (...args) => script.finish(...args),
    discard: (...args) => script.discard(...args),
    beginQr: (...args) => script.beginQr(...args),
    readQr: (...args) => script.readQr(...args),
  };
}

function holdFinish(script: ConnectScript): ReturnType<ConnectHarness['holdFinish']> {
  let answer: (authorized: Authorized) => void = () => undefined;
  const answered = new Promise<Authorized>((resolve) => (answer = resolve));
  const asked = new Promise<void>((resolve) => {
    script.finish = () => {
      resolve();
      return answered;
    };
  });
  return { asked, answer };
}
