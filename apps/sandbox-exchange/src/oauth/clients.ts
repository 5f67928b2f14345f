import { createHash, timingSafeEqual } from 'node:crypto';
import type { Exchange } from '../exchange.js';
import type { OAuthClient } from '../ledger/oauth-records.js';
import { OAuthError } from './oauth-error.js';
import type { Provider } from './provider.js';

const BUILT_IN_ID = 'causeway';

/** The client that every provider accepts without registration. */
export function builtInClient(redirectUris: readonly string[]): OAuthClient {
  return {
    clientId: BUILT_IN_ID,
    secret: 'causeway-sandbox-secret',
    name: 'Causeway',
    redirectUris: [...redirectUris],
    takesLoopback: true,
    accessSeconds: null,
    refreshSeconds: null,
  };
}

/** The registered clients and the built-in one. */
export class OAuthClients {
  constructor(
    private readonly exchange: Exchange,
    private readonly builtIn: OAuthClient,
  ) {}

  find(clientId: string): OAuthClient | null {
    return this.exchange.oauth.clients.get(clientId) ?? (clientId === BUILT_IN_ID ? this.builtIn : null);
  }

  /** @throws OAuthError `invalid_client` */
  authenticate(
    { clientAuthentication }: Pick<Provider, 'clientAuthentication'>,
    { authorization, form }: { authorization: string | undefined; form: URLSearchParams },
  ): OAuthClient {
    const credentials = clientAuthentication
      .map((method) => (method === 'body' ? fromForm(form) : fromBasic(authorization, method === 'basic')))
      .find((one) => one !== null);
    const client = credentials === undefined ? null : this.find(credentials.id);
    if (credentials === undefined || client === null || !isSame(credentials.secret, client.secret)) {
      throw new OAuthError('invalid_client', 'the client is unknown, or its secret is wrong');
    }
    return client;
  }
}

interface ClientCredentials {
  id: string;
  secret: string;
}

function fromForm(form: URLSearchParams): ClientCredentials | null {
  const [id, secret] = [form.get('client_id'), form.get('client_secret')];
  return id === null || secret === null ? null : { id, secret };
}

function fromBasic(authorization: string | undefined, isFormEncoded: boolean): ClientCredentials | null {
  const encoded = /^Basic ([A-Za-z0-9+/]+=*)$/i.exec(authorization ?? '')?.[1];
  if (encoded === undefined) return null;
  const parts = /^([^:]*):([^]*)$/.exec(Buffer.from(encoded, 'base64').toString());
  if (parts === null) return null;
  const decode = (text = ''): string => (isFormEncoded ? (formDecoded(text) ?? '') : text);
  return { id: decode(parts[1]), secret: decode(parts[2]) };
}

function formDecoded(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
}

function isSame(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

/**
 * A redirect URI must equal a registered one. With `takesLoopback`, a client may also use any port of a loopback
 * address, when the path ends with `/callback`.
 */
export function mayRedirectTo({ redirectUris, takesLoopback }: OAuthClient, uri: string): boolean {
  return redirectUris.includes(uri) || (takesLoopback && isLoopbackCallback(uri));
}

function isLoopbackCallback(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, pathname, hash, username, password } = new URL(text);
  const isPlain = hash === '' && username === '' && password === '';
  return (
    protocol === 'http:' && ['127.0.0.1', 'localhost'].includes(hostname) && pathname.endsWith('/callback') && isPlain
  );
}
