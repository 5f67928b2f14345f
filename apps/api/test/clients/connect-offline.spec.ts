import { openConnect, type ConnectLink, type OpenOptions } from '#client';
import { refusal, ScriptedServer, type Scripted } from './scripted-server.js';

const HOUR_MS = 3_600_000;
const statusIs = (status: 'pending' | 'success' | 'failed'): Scripted => ({
  status: 200,
  body: { idem: 'connect-1', status, type: null, code: null },
});
/**
 * The network is lost at first; then a proxy and a busy service respond. The event stream and the reads of the status
 * share this list: each request of either kind uses up one entry.
 */
const OFFLINE: Scripted[] = [
  'lost',
  'lost',
  'lost',
  { status: 403, body: { type: 'about:blank' } },
  { status: 503, body: refusal('GENERIC') },
];

describe('openConnect of the client, when the status cannot be read for a while', () => {
  const servers: ScriptedServer[] = [];
  afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())));

  async function open(expiresAt: number, options: OpenOptions, ...script: Scripted[]) {
    const server = await ScriptedServer.start(...script);
    servers.push(server);
    const link: ConnectLink = {
      baseUrl: server.url,
      orgId: 'organization-1',
      idem: 'connect-1',
      url: `${server.url}/connect/secret`,
      expiresAt,
      walletId: 'user-42',
      exchange: 'kraken',
    };
    return await openConnect(link, { via: 'events', pollMs: 1, ...options });
  }
  const expired = (...script: Scripted[]) => open(Date.now() - HOUR_MS, { show: () => undefined }, ...script);
  const closed = (...script: Scripted[]) => {
    const popup = { closed: true, close: () => undefined, location: { href: '' } };
    return open(Date.now() + HOUR_MS, { show: () => popup }, ...script);
  };

  it('returns connected for a link that has expired, when the service reports the success', async () => {
    expect(await expired(...OFFLINE, statusIs('success'))).toMatchObject({ status: 'connected', walletId: 'user-42' });
  });

  it.each([
    ['reports its end', statusIs('failed')],
    ['no longer knows it', { status: 404, body: refusal('GENERIC_NOT_FOUND') }],
  ])('returns the reason expired for a link that has expired, when the service %s', async (_what, last) => {
    expect(await expired(...OFFLINE, last)).toMatchObject({ status: 'exit', reason: 'expired' });
  });

  it('returns connected after the person has closed the popup, when the service reports the success', async () => {
    expect(await closed(...OFFLINE, statusIs('success'))).toMatchObject({ status: 'connected', walletId: 'user-42' });
  });

  it('returns the reason closed after the person has closed the popup, when the service reports no outcome', async () => {
    expect(await closed(...OFFLINE, statusIs('pending'))).toMatchObject({ status: 'exit', reason: 'closed' });
  });
});
