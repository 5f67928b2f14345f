import {
  openConnect,
  openPopup,
  type ConnectLink,
  type ConnectOutcome,
  type ListenMethod,
  type Popup,
  type TopicMessage,
} from '../../typescript/src/index.js';

/** The wallet that was connected, and its exchange. */
export type Connected = Omit<Extract<ConnectOutcome, { status: 'connected' }>, 'status'>;

/**
 * Why no account was connected. `reason` is a reason of `ConnectOutcome`, or `error` when your server returned no link.
 * `code` and `message` are those of the last failed attempt; with `error`, `message` is that of the error.
 */
export interface Exited {
  reason: Extract<ConnectOutcome, { status: 'exit' }>['reason'] | 'error';
  code: string | null;
  message: string | null;
}

/** A step of a connect, for logs and statistics. */
export type LinkEvent =
  | { name: 'open' }
  /** A message of the service, for example a failed attempt after which the person can try again. */
  | { name: 'message'; message: TopicMessage }
  | ({ name: 'connected' } & Connected)
  | ({ name: 'exit' } & Exited);

export interface LinkOptions {
  /** `popup` (default) keeps your page; `redirect` leaves it, and the person returns to the link's `returnUrl`. */
  mode?: 'popup' | 'redirect';
  /** How the outcome arrives. Default: the first of socket, events and poll that works. */
  via?: ListenMethod;
  onConnected?: (connected: Connected) => void;
  onExit?: (exited: Exited) => void;
  onEvent?: (event: LinkEvent) => void;
}

/** A link, or the request for one. */
export type LinkSource = ConnectLink | Promise<ConnectLink> | (() => ConnectLink | Promise<ConnectLink>);

export interface Link {
  /**
   * Shows the connect page. Call it directly in a click and let it request the link, because browsers block a popup
   * that is opened after something was awaited. It resolves when the person has finished.
   */
  open(source: LinkSource): Promise<void>;
}

export function createLink(options: LinkOptions = {}): Link {
  return { open: (source) => openLink(source, options) };
}

async function openLink(source: LinkSource, options: LinkOptions): Promise<void> {
  const { mode = 'popup', via, onEvent } = options;
  const popup = mode === 'popup' ? openPopup() : null;
  let outcome: ConnectOutcome;
  try {
    const link = await (typeof source === 'function' ? source() : source);
    onEvent?.({ name: 'open' });
    if (mode === 'redirect') {
      location.assign(link.url);
      return;
    }
    outcome = await openConnect(link, {
      show: (url) => showIn(popup, url),
      via,
      onMessage: (message) => onEvent?.({ name: 'message', message }),
    });
  } catch (error) {
    report({ reason: 'error', code: null, message: error instanceof Error ? error.message : String(error) }, options);
    popup?.close();
    return;
  }
  popup?.close();
  reportOutcome(outcome, options);
}

function showIn(popup: Popup | null, url: string): Popup | null {
  if (popup !== null) popup.location.href = url;
  return popup;
}

/**
 * Reports the outcome of a redirect from the address to which the person has returned. Returns false when the address
 * contains no outcome. Anyone can write such an address: let your server read the wallet before it relies on the
 * outcome.
 */
export function reportReturn(address: string, options: LinkOptions): boolean {
  const { searchParams } = new URL(address);
  const [walletId, exchange] = [searchParams.get('walletId'), searchParams.get('exchange')];
  if (!searchParams.has('idem') || !searchParams.has('success')) return false;
  if (searchParams.get('success') === 'true' && walletId !== null && exchange !== null)
    reportOutcome({ status: 'connected', walletId, exchange }, options);
  else report({ reason: 'failed', code: searchParams.get('error'), message: null }, options);
  return true;
}

function reportOutcome({ status, ...outcome }: ConnectOutcome, options: LinkOptions): void {
  if (status === 'exit') {
    report(outcome as Exited, options);
    return;
  }
  const connected = outcome as Connected;
  options.onEvent?.({ name: 'connected', ...connected });
  options.onConnected?.(connected);
}

function report(exited: Exited, { onEvent, onExit }: LinkOptions): void {
  onEvent?.({ name: 'exit', ...exited });
  onExit?.(exited);
}
