import type { ServerResponse } from 'node:http';
import { loadConfig } from '#platform/config';
import { Secret } from '#platform/crypto';
import { AuthorizationError, type PendingQrLogin } from '../../port/authorization.port.js';
import type { Authorizations } from '../../authorization/authorizations.service.js';
import { createAuthorizations } from '../../testing/create-exchanges.js';
import { ManualClock } from '../../testing/manual-clock.js';
import { patientTimeouts, withPassingTimeouts } from '../../testing/request-timeouts.js';
import { StubExchange, type ReceivedCall } from '../../testing/stub-exchange.js';

const TARGET = { exchange: 'sandbox', mode: 'test' } as const;
const BEGIN = 'POST /partner/v1/qr-logins';
const READ = 'GET /partner/v1/qr-logins/canary-id';
const confirmed = {
  status: 'confirmed',
  access_token: 'canary-access',
  refresh_token: 'canary-refresh',
  token_type: 'Bearer',
  expires_in: 3_600,
  scope: 'read withdraw',
};

describe('a login by QR code', () => {
  const silent = withPassingTimeouts();
  let stub: StubExchange;
  let authorizations: Authorizations;

  beforeAll(async () => {
    stub = await StubExchange.start();
    stub.otherwise = silent;
    const config = loadConfig({ SANDBOX_URL: stub.url, ...patientTimeouts });
    authorizations = createAuthorizations(config, { clock: new ManualClock() });
  });
  afterAll(async () => {
    await authorizations.onApplicationShutdown();
    await stub.close();
  });
  beforeEach(() => {
    stub.calls.length = 0;
    stub.on(BEGIN, () => ({ id: 'canary-id', content: `${stub.url}/page`, expires_at: 1_795_000_000_000 }));
  });

  const begin = (): Promise<PendingQrLogin> => authorizations.beginQr(TARGET, { access: ['read', 'withdrawal'] });
  const failing = async (call: Promise<unknown>): Promise<string> => {
    const error: unknown = await call.catch((thrown: unknown) => thrown);
    if (!(error instanceof AuthorizationError)) throw new Error('it should fail, and with this error');
    for (let one: unknown = error; one instanceof Error; one = one.cause) {
      expect(`${one.stack} ${JSON.stringify(one)}`).not.toContain('canary');
    }
    return error.failure;
  };

  it('begins with the requested access and our client id', async () => {
    expect(await begin()).toMatchObject({ content: `${stub.url}/page`, expiresAt: new Date(1_795_000_000_000) });
    const [call] = stub.calls;
    expect(call?.json).toEqual({ client_id: 'causeway', scope: 'read withdraw identity' });
    expect(call?.headers.authorization).toBe(
      `Basic ${Buffer.from('causeway:causeway-sandbox-secret').toString('base64')}`,
    );
  });

  it.each(['waiting', 'scanned', 'denied', 'expired'])('reports the status %s', async (status) => {
    stub.on(READ, () => ({ status }));
    const { id } = await begin();
    expect(await authorizations.readQr(TARGET, id)).toEqual({ status });
  });

  it('returns tokens when it is confirmed', async () => {
    stub.on(READ, () => confirmed);
    const state = await authorizations.readQr(TARGET, (await begin()).id);
    if (state.status !== 'confirmed') throw new Error('not confirmed');
    expect(state.authorized.credentials.apiKey.reveal()).toBe('canary-access');
    expect(state.authorized.grant?.refreshToken.reveal()).toBe('canary-refresh');
  });

  it('refuses a grant with fewer scopes than were requested', async () => {
    stub.on(READ, () => ({ ...confirmed, scope: 'read' }));
    expect(await failing(authorizations.readQr(TARGET, (await begin()).id))).toBe('insufficient_scope');
  });

  it('has expired when the exchange no longer knows it', async () => {
    stub.on(READ, (_call, response) => void response.writeHead(404).end('{"error":{"code":"invalid_request"}}'));
    expect(await authorizations.readQr(TARGET, (await begin()).id)).toEqual({ status: 'expired' });
  });

  it.each<[string, (call: ReceivedCall, response: ServerResponse) => unknown]>([
    ['a 503', (_call, response) => void response.writeHead(503).end('{"error":{"code":"unavailable"}}')],
    ['a refusal', (_call, response) => void response.writeHead(400).end('{"error":{"code":"invalid_request"}}')],
    ['a page of HTML', (_call, response) => void response.end('<html>canary</html>')],
    ['a response without the requested data', () => ({ canary: true })],
    ['no response', silent],
  ])('is unavailable after %s', async (_what, behaviour) => {
    const { id } = await begin();
    stub.on(BEGIN, behaviour);
    stub.on(READ, behaviour);
    expect(await failing(begin())).toBe('qr_unavailable');
    expect(await failing(authorizations.readQr(TARGET, id))).toBe('unavailable');
  });

  it('is not offered by an exchange that has no QR login', async () => {
    const other = { exchange: 'coinbase', mode: 'test' } as const;
    expect(await failing(authorizations.beginQr(other, { access: ['read'] }))).toBe('qr_unavailable');
    expect(await failing(authorizations.readQr(other, new Secret('read:canary')))).toBe('unavailable');
  });
});
