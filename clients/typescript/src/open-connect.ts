import { listen, type ListenMethod } from './listen.js';
import { readStatus } from './listen-polls.js';
import { sleep } from './time.js';
import type { Topic, TopicMessage } from './topic.js';

/**
 * A link for the owner of an account. It has no secret of your project, but everyone who has it can connect an account.
 */
export interface ConnectLink extends Topic {
  /** The hosted page. */
  url: string;
  /** When the link expires, in epoch milliseconds. */
  expiresAt: number;
  walletId: string;
  exchange: string;
}

/** How a connect ended. */
export type ConnectOutcome =
  | { status: 'connected'; walletId: string; exchange: string }
  /**
   * `failed`: no further attempt is possible; `closed`: the person closed the popup; `expired`: the link ran out;
   * `blocked`: the browser refused the popup. `code` and `message` are those of the last failed attempt.
   */
  | {
      status: 'exit';
      reason: 'failed' | 'closed' | 'expired' | 'blocked';
      code: string | null;
      message: string | null;
    };

/** The part of a browser's window that is used here. */
export interface Popup {
  readonly closed: boolean;
  close(): void;
  location: { href: string };
}

export interface OpenOptions {
  /**
   * Shows the page to the owner. By default a browser opens a popup, and every other runtime needs this function: it
   * can send the address by mail, print it or show it as a link.
   */
  show?: (url: string) => Popup | null | undefined | void;
  /** How the outcome arrives. Default: the first of socket, events and poll that works. */
  via?: ListenMethod;
  /** Receives every message, for example failed attempts and QR codes. */
  onMessage?: (message: TopicMessage) => void;
  /** Ends the wait. The link stays valid. */
  signal?: AbortSignal;
  /** The pause between two polls. Default: 2 s, and 5 s after the popup was closed or the link has expired. */
  pollMs?: number;
}

interface Browser {
  open?: (url: string, name: string, features: string) => Popup | null;
  addEventListener?: (type: 'message', listener: (event: PageMessage) => void) => void;
  removeEventListener?: (type: 'message', listener: (event: PageMessage) => void) => void;
}

interface PageMessage {
  origin: string;
  data: unknown;
}

const POPUP = 'popup,width=480,height=720';
const CLOSED_POLL_MS = 500;
/** A message can arrive shortly after the page has closed its window. */
const CLOSED_GRACE_MS = 2_000;
const EXPIRED_GRACE_MS = 5_000;
const STATUS_POLL_MS = 5_000;

/** Opens an empty popup. Call it directly in a click, before anything is awaited: browsers block all other popups. */
export function openPopup(url = 'about:blank'): Popup | null {
  return (globalThis as Browser).open?.(url, 'causeway-connect', POPUP) ?? null;
}

/**
 * Shows the connect page and waits until the account is connected or the person leaves. The wait continues while the
 * service cannot be reached, because only the service knows the outcome; `signal` ends it.
 *
 * @throws the reason of the signal when it is aborted
 */
export async function openConnect(link: ConnectLink, options: OpenOptions = {}): Promise<ConnectOutcome> {
  const { show = openPopup, signal } = options;
  const popup = show(link.url);
  if (popup === null) return { status: 'exit', reason: 'blocked', code: null, message: null };
  const ended = new AbortController();
  const stop = (): void => ended.abort();
  signal?.addEventListener('abort', stop, { once: true });
  const attempts = { code: null as string | null, message: null as string | null };
  try {
    const outcomes = [heard(link, options, attempts, ended.signal), expired(link, options, ended.signal)];
    if (popup) outcomes.push(closed(link, popup, options, ended.signal), reported(link, ended.signal));
    const outcome = await Promise.race(outcomes);
    return outcome.status === 'exit' ? { ...outcome, ...attempts } : outcome;
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener('abort', stop);
    ended.abort();
  }
}

/** Follows the messages of the link's topic until one of them is the outcome. */
async function heard(
  link: ConnectLink,
  { via, onMessage, pollMs }: OpenOptions,
  attempts: { code: string | null; message: string | null },
  signal: AbortSignal,
): Promise<ConnectOutcome> {
  for await (const message of listen(link, { via, pollMs, signal })) {
    onMessage?.(message);
    const { body } = message;
    if (body.success === true) return connected(link);
    if (body.success !== false || body.type === 'withdraw') continue;
    attempts.code = body.code ?? null;
    attempts.message = body.error ?? null;
    // The person can try again on the page, unless the session has ended.
    const read = await readStatus(link, signal);
    if (read !== null && read !== 'unknown' && read.status === 'failed') return exit('failed');
  }
  return await never(signal);
}

/** Waits until the person has closed the popup. The outcome follows from the status that the service then reports. */
async function closed(
  link: ConnectLink,
  popup: Popup,
  { pollMs }: OpenOptions,
  signal: AbortSignal,
): Promise<ConnectOutcome> {
  while (!popup.closed) await sleep(CLOSED_POLL_MS, signal);
  await sleep(CLOSED_GRACE_MS, signal);
  const status = await statusOf(link, pollMs, signal);
  if (status === 'success') return connected(link);
  return exit(status === 'failed' ? 'failed' : 'closed');
}

/** The page reports a success to the window that has opened it; the origin must be that of the link. */
function reported(link: ConnectLink, signal: AbortSignal): Promise<ConnectOutcome> {
  const browser = globalThis as Browser;
  return new Promise((resolve, reject) => {
    const listener = ({ origin, data }: PageMessage): void => {
      const message = data as { source?: string; idem?: string; body?: { success?: boolean } } | null;
      if (origin !== new URL(link.url).origin || message?.source !== 'causeway' || message.idem !== link.idem) return;
      if (message.body?.success === true) resolve(connected(link));
    };
    browser.addEventListener?.('message', listener);
    signal.addEventListener('abort', () => {
      browser.removeEventListener?.('message', listener);
      reject(new Error('ended'));
    });
  });
}

/**
 * Waits until the link has expired. The clock of this machine may be fast, so the wait continues while the service
 * reports `pending`. The link also counts as expired when the service no longer knows it.
 */
async function expired(link: ConnectLink, { pollMs }: OpenOptions, signal: AbortSignal): Promise<ConnectOutcome> {
  await sleep(Math.max(0, link.expiresAt + EXPIRED_GRACE_MS - Date.now()), signal);
  for (;;) {
    const status = await statusOf(link, pollMs, signal);
    if (status === 'success') return connected(link);
    if (status !== 'pending') return exit('expired');
    await sleep(pollMs ?? STATUS_POLL_MS, signal);
  }
}

/**
 * Returns the status of the link, or `unknown` when the service does not know the link. Repeats a read that fails,
 * because the account may be connected.
 */
async function statusOf(
  link: ConnectLink,
  pollMs = STATUS_POLL_MS,
  signal: AbortSignal,
): Promise<'pending' | 'success' | 'failed' | 'unknown'> {
  for (;;) {
    const read = await readStatus(link, signal);
    if (read !== null) return read === 'unknown' ? read : read.status;
    await sleep(pollMs, signal);
  }
}

function never(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const end = (): void => reject(new Error('ended'));
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}

function connected({ walletId, exchange }: ConnectLink): ConnectOutcome {
  return { status: 'connected', walletId, exchange };
}

function exit(reason: 'failed' | 'closed' | 'expired'): ConnectOutcome {
  return { status: 'exit', reason, code: null, message: null };
}
