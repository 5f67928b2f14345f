import * as openid from 'openid-client';
import type { OAuthClient } from '#platform/config';

/**
 * How we authenticate to a token endpoint. `basic`: HTTP Basic with form encoding (RFC 6749, 2.3.1). `basic_raw`: HTTP
 * Basic without form encoding. `post`: id and secret in the form.
 */
export type ClientAuthentication = 'basic' | 'basic_raw' | 'post';

export function clientAuthOf(kind: ClientAuthentication, client: OAuthClient): openid.ClientAuth {
  if (client.secret === null && kind !== 'basic_raw') return openid.None();
  if (kind === 'post') return openid.ClientSecretPost(client.secret ?? '');
  return (_server, _client, _body, headers) => headers.set('authorization', basicOf(kind, client));
}

/** The Authorization header of a client. If the client has no secret, the part after the colon is empty. */
export function basicOf(kind: ClientAuthentication, { id, secret }: OAuthClient): string {
  // openid-client would also encode `-` as `%2D`. A server that does not decode it would read another secret.
  const encoded = (text: string): string => (kind === 'basic_raw' ? text : encodeURIComponent(text));
  return `Basic ${Buffer.from(`${encoded(id)}:${encoded(secret ?? '')}`).toString('base64')}`;
}
