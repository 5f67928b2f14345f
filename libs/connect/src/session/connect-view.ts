/**
 * The data of the hosted page. A page reads `ConnectSessions.view(token, browser)`; `BrowserCookies.read` returns
 * `browser`. A browser that does not own the session gets `OtherBrowserView`. Each form is a POST with two steps:
 * - `OpenSession.execute(token, browser)` binds the session to the browser of the first POST, which then gets a
 * cookie, and refuses all other browsers.
 * - Then one of `BeginOAuth` (returns the exchange's `url`), `SubmitKey`, `ConfirmKey`, `DiscardKey`, `BeginQr` or
 * `CancelSession` runs. While a QR code is shown, each poll of the page calls `ReadQr`.
 * Errors: `NotFound` for an unknown token, `InvalidState` for another browser, `SessionMoved` when the session is in
 * another state by now (the response is a redirect to its page). `BeginOAuth` and `BeginQr` may also throw
 * `OAUTH_TOKEN_EXCHANGE_FAILED` and `OAUTH_QR_CODE_UNAVAILABLE`. The result of an attempt is not thrown: the next view
 * has it as `state` and `error`.
 * The callback of the exchanges (`/v0/oauth2/{exchange}/callback`) is in `oauth2/oauth2.controller.ts`.
 * `PageErrorFilter` renders its errors as pages for browsers and as JSON for other clients.
 */
import type { AccessKind, ConnectMethod, CredentialField, KeyDefault, KeyGuide, Region, ProjectMode } from '#exchange';
import type { ErrorCode } from '#platform/errors';
import type { ConnectMessageBody } from '#platform/events';

/**
 * created: no attempt is in progress, and no browser owns the session; opened: no attempt is in progress, and a browser
 * owns the session; authorizing: the person is at the exchange's page; scanning: a QR code is shown; confirming: a
 * pasted key waits for confirmation; connecting: the account is being connected.
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

/** Values of `result.reason` when the person ended the attempt: `cancelled` on our page, `denied` at the exchange. */
export const CANCELLED = 'cancelled';
export const DENIED = 'denied';

/** The members of an error response. */
export interface SessionError {
  error: string;
  type: ErrorCode;
  result?: Record<string, unknown>;
}

/** Whether the person decided against the connect. The page does not show such a decision as a failure. */
export function isOwnDecision(error: SessionError | null): boolean {
  return isCancelled(error) || error?.result?.['reason'] === DENIED;
}

/** Whether the person ended the attempt on our page. */
export function isCancelled(error: SessionError | null): boolean {
  return error?.result?.['reason'] === CANCELLED;
}

/** The progress of a login with the exchange's app. */
export type QrStatus = 'waiting' | 'scanned' | 'expired';

/** The differences between the permissions of a pasted key and the wanted access. */
export interface KeyWarning {
  tooMuch: AccessKind[];
  tooLittle: AccessKind[];
  /** Permissions whose meaning is unknown. */
  unknown: string[];
  /** All permissions in the exchange's own words. */
  permissions: string[];
  /** Settings of the key with which the service submits nothing. */
  unsafeSettings: KeyDefault[];
}

export interface ShownExchange {
  id: string;
  name: string;
  docsUrl: string;
  keyUrl: string;
  keyGuide?: KeyGuide;
  credentialFields: readonly CredentialField[];
  /** The exchange's regional sites, of which the owner chooses one; empty = the exchange has a single site. */
  regions: readonly Region[];
}

/** The appearance that the project has set. */
export interface Theme {
  /** Its form is `#rrggbb`. */
  color: string | null;
  logoUrl: string | null;
}

/** All that a page may learn about a session that belongs to another browser. */
export interface OtherBrowserView {
  browser: 'other';
  state: SessionState;
}

/** The content of the page for the browser that owns the session, or for every browser while none owns it. */
export interface ConnectView {
  /** null = the person has not chosen an exchange yet. */
  exchange: ShownExchange | null;
  /** Whether the person chooses the exchange on the page. */
  picksExchange: boolean;
  theme: Theme;
  projectName: string;
  mode: ProjectMode;
  /** The application's id of the wallet. */
  externalWalletId: string;
  /** The application's id of this session, for the return address. */
  idem: string;
  /** The available connect methods, the best first. */
  methods: ConnectMethod[];
  /** The connect method of the current or the last attempt. */
  method: ConnectMethod | null;
  access: AccessKind[];
  state: SessionState;
  /** The browser that owns the session: none yet, or the requesting browser (`this`). */
  browser: 'none' | 'this';
  expiresAt: Date;
  /** The error of the last attempt. In the state `failed`, this error has ended the session. */
  error: SessionError | null;
  /** Set in the state `confirming`. */
  warning: KeyWarning | null;
  /** Set in the state `scanning`. */
  qr: { content: string; status: QrStatus; expiresAt: Date } | null;
  /** The addresses that the owner has to allow for a key. */
  egressIps: readonly string[];
  openerOrigin: string | null;
  returnUrl: string | null;
  attemptsLeft: number;
}

export type SessionView = ConnectView | OtherBrowserView;

/** The page of a session whose exchange is known. */
export type ChosenView = ConnectView & { exchange: ShownExchange };

export const isChosenView = (view: ConnectView): view is ChosenView => view.exchange !== null;

/** The cookie that identifies the browser of a session. */
export interface BrowserCookie {
  name: string;
  value: string;
  /** Sets the `Secure` flag; the name then has the prefix `__Host-`. */
  secure: boolean;
  maxAgeSeconds: number;
}

const ways: Readonly<Record<ConnectMethod, NonNullable<ConnectMessageBody['way']>>> = {
  oauth: 'oauth2',
  qr: 'qr_code',
  key: 'api_key',
};

/** The part of a message that differs between the steps of one session. */
export type ConnectProgress = Omit<ConnectMessageBody, 'type' | 'way' | 'walletId' | 'exchange'>;

interface MessageFacts {
  /** null means that no attempt has begun. */
  method: ConnectMethod | null;
  externalWalletId: string;
  /** null = the person has not chosen an exchange yet. */
  exchange: string | null;
}

/** The message to listeners and openers. A cancelled connect has the type `oauth2` with every connect method. */
export function messageOf(
  { method, externalWalletId, exchange }: MessageFacts,
  progress: ConnectProgress,
): ConnectMessageBody {
  const isOfQrLogin = method === 'qr' && progress.result?.['reason'] !== CANCELLED;
  return {
    type: isOfQrLogin ? 'qr_code_auth' : 'oauth2',
    ...(method !== null && { way: ways[method] }),
    walletId: externalWalletId,
    ...(exchange !== null && { exchange }),
    ...progress,
  };
}

export function failureOf({ error, type, result }: SessionError): ConnectProgress {
  return { success: false, error, code: type, ...(result !== undefined && { result }) };
}
