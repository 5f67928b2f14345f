import type { ConnectLink } from '../../typescript/src/index.js';
import { createLink, reportReturn, type Connected, type Exited, type LinkEvent, type LinkOptions } from './link.js';

const TEMPLATE = `
  <style>
    :host { display: inline-block; }
    :host([hidden]) { display: none; }
    button {
      font: inherit;
      padding: 0.6em 1.2em;
      border: 0;
      border-radius: 0.5em;
      color: var(--causeway-link-color, #ffffff);
      background: var(--causeway-link-background, #1f4fd8);
      cursor: pointer;
    }
    button:focus-visible { outline: 3px solid var(--causeway-link-focus, #8fb0ff); outline-offset: 2px; }
    button:disabled { opacity: 0.6; cursor: default; }
  </style>
  <button part="button" type="button"><slot>Connect an account</slot></button>
`;

/**
 * `<causeway-link src="/connect">Connect your account</causeway-link>`: a button that connects an account.
 *
 * - `src`: an address of your server that responds to a POST with a link; or set the property `getLink`.
 * - `mode`: `popup` (default) or `redirect`.
 *
 * It sends the events `connected`, `exit` and `event`, with the data in `detail`. The functions in the properties
 * `onConnected`, `onExit` and `onEvent` receive the same data.
 */
export class CausewayLink extends HTMLElement {
  // `declare` keeps what a page has set on the element before this class was loaded.
  /** Requests a link from your server; by default a POST to `src`. */
  declare getLink?: (() => ConnectLink | Promise<ConnectLink>) | null;
  declare onConnected?: ((connected: Connected) => void) | null;
  declare onExit?: ((exited: Exited) => void) | null;
  declare onEvent?: ((event: LinkEvent) => void) | null;
  private readonly button: HTMLButtonElement;

  constructor() {
    super();
    const root = this.attachShadow({ mode: 'open', delegatesFocus: true });
    root.innerHTML = TEMPLATE;
    const button = root.querySelector('button');
    if (button === null) throw new Error('the template has no button');
    this.button = button;
    button.addEventListener('click', () => void this.open());
  }

  /** Reads the outcome of a redirect from the page's address, after the page had time to register its listeners. */
  connectedCallback(): void {
    if (this.options().mode === 'redirect') setTimeout(() => this.readReturn());
  }

  /** Opens the connect page, as a click does. */
  async open(): Promise<void> {
    if (this.button.disabled) return;
    this.button.disabled = true;
    try {
      await createLink(this.options()).open(() => this.requestLink());
    } finally {
      this.button.disabled = false;
    }
  }

  private async requestLink(): Promise<ConnectLink> {
    if (this.getLink) return await this.getLink();
    const source = this.getAttribute('src');
    if (source === null) throw new Error('Set src or getLink of <causeway-link>');
    const response = await fetch(source, { method: 'POST' });
    if (!response.ok) throw new Error(`${source} responded with the status ${response.status}`);
    return (await response.json()) as ConnectLink;
  }

  private readReturn(): void {
    if (!reportReturn(location.href, this.options())) return;
    const address = new URL(location.href);
    for (const name of ['idem', 'success', 'walletId', 'exchange', 'error']) address.searchParams.delete(name);
    history.replaceState(history.state, '', address);
  }

  private options(): LinkOptions {
    return {
      mode: this.getAttribute('mode') === 'redirect' ? 'redirect' : 'popup',
      onConnected: (detail) => {
        this.onConnected?.(detail);
        this.dispatchEvent(new CustomEvent('connected', { detail }));
      },
      onExit: (detail) => {
        this.onExit?.(detail);
        this.dispatchEvent(new CustomEvent('exit', { detail }));
      },
      onEvent: (detail) => {
        this.onEvent?.(detail);
        this.dispatchEvent(new CustomEvent('event', { detail }));
      },
    };
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'causeway-link': CausewayLink;
  }
}

if (customElements.get('causeway-link') === undefined) customElements.define('causeway-link', CausewayLink);
