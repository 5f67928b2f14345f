/**
 * What the hosted page is built on. A page asks `ConnectSessions.view(token, browser)`, `browser` being what
 * `BrowserCookies.read(token, request.headers.cookie)` gives. Each form of it is a POST:
 *
 * - first `OpenSession.execute(token, browser)` → `{ browser, cookie }`: it binds the browser of the first POST (then there
 *   is a `cookie` to set, `BrowserCookies.serialize`), and refuses all others;
 * - then, with that `browser`, `BeginOAuth` (→ `{ url }`), `SubmitKey` (its credentials as `Secret`s), `ConfirmKey`,
 *   `DiscardKey`, `BeginQr` or `CancelSession`. `ReadQr` with each look at a QR code (→ `{ state, qrStatus }`).
 *
 * They throw `NotFound` for an unknown token, `InvalidState` for another browser, `SessionMoved` where the session is
 * somewhere else by now (the page of that is the answer: 303 to it), and what beginning may throw
 * (`OAUTH_TOKEN_EXCHANGE_FAILED`, `OAUTH_QR_CODE_UNAVAILABLE`). What an attempt came to is not thrown: it is the `state`
 * and the `error` of the next view.
 *
 * The callback of the exchanges (`/v0/oauth2/{exchange}/callback`) is a route of `session/oauth2.controller.ts`; for a
 * browser its errors are shown by the exception filter of the page, which leaves a caller that wants no HTML to the usual
 * one.
 */
import type { AccessKind, ConnectMethod, CredentialField, ProjectMode } from '#exchange';
import type { ErrorCode } from '#platform/errors';
import type { TopicMessageBody } from '#platform/events';

/**
 * created: nobody has opened it; opened: a way can be chosen; authorizing: at the exchange's page; scanning: a QR code is
 * shown; confirming: a pasted key waits for a word; connecting: the account is being connected just now.
 */
export const sessionStates = [
  'created',
  'opened',
  'authorizing',
  'scanning',
  'confirming',
  'connecting',
  'connected',
  'failed',
] as const;
export type SessionState = (typeof sessionStates)[number];

/** The members of an error body, as callers are told. */
export interface SessionError {
  error: string;
  type: ErrorCode;
  result?: Record<string, unknown>;
}

/** How far a login by the exchange's app is. */
export type QrStatus = 'waiting' | 'scanned';

/** What a pasted key can do more, or less, than is wanted. */
export interface KeyWarning {
  tooMuch: AccessKind[];
  tooLittle: AccessKind[];
  /** Permissions of which it is not known what they are for. */
  unknown: string[];
  /** In the exchange's words. */
  permissions: string[];
}

export interface ConnectView {
  exchange: {
    id: string;
    name: string;
    docsUrl: string;
    keyUrl: string;
    credentialFields: readonly CredentialField[];
  };
  projectName: string;
  mode: ProjectMode;
  /** The application's id of the wallet. */
  externalWalletId: string;
  /** Its id of this attempt; for the address that the person goes back to. */
  idem: string;
  /** Those that are open now, the best first. */
  ways: ConnectMethod[];
  /** The way of the present or the last attempt. */
  way: ConnectMethod | null;
  access: AccessKind[];
  state: SessionState;
  /** Which browser opened it: none yet, the one that asks, or another, which is shown nothing but that. */
  browser: 'none' | 'this' | 'other';
  expiresAt: Date;
  /** Of the last attempt; with `failed`, the end. */
  error: SessionError | null;
  /** While `confirming`. */
  warning: KeyWarning | null;
  /** While `scanning`. */
  qr: { content: string; status: QrStatus; expiresAt: Date } | null;
  /** What the owner has to allow-list for a key. */
  egressIps: readonly string[];
  openerOrigin: string | null;
  returnUrl: string | null;
  attemptsLeft: number;
}

/** What the browser that opened a session is known by. */
export interface BrowserCookie {
  name: string;
  value: string;
  /** Also `__Host-` in its name. */
  secure: boolean;
  maxAgeSeconds: number;
}

const messageTypes: Readonly<Record<ConnectMethod, TopicMessageBody['type']>> = {
  oauth: 'oauth2',
  qr: 'qr_code_auth',
  key: 'connect',
};

/** As listeners and openers are told how an attempt was made; null: none has begun. */
export function messageTypeOf(way: ConnectMethod | null): TopicMessageBody['type'] {
  return messageTypes[way ?? 'key'];
}
