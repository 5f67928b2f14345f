import { connect } from 'node:net';
import { errorCodes } from '#platform/errors';
import { Shutdown } from '#platform/lifecycle';
import type { TestProject } from '#access/testing';
import type { Answer } from '../support/documented-responses.js';
import type { HttpClient, RequestOptions } from '../support/http-client.js';
import { ADMIN_TOKEN, TestApp } from '../support/test-app.js';

interface ErrorBody {
  error: string;
  type: string;
  requestId: string;
  missing?: string[];
  result?: { fields?: { field: string; message: string }[] };
}

const KEY = 'x-svc-api-key';
const ORGANIZATION = 'x-svc-org-id';
const PROJECT = 'x-svc-project-id';
const WALLET = 'x-svc-wallet-id';
const UNKNOWN_ID = '01890000-0000-7000-8000-000000000000';

/** Returns status and body without the request id, which differs in every response. */
function facts({ status, body }: Answer<ErrorBody>): object {
  return { status, body: { ...body, requestId: undefined } };
}

function fieldsOf({ body }: Answer<ErrorBody>): string[] {
  return (body.result?.fields ?? []).map(({ field }) => field);
}

describe('HTTP requests', () => {
  let app: TestApp;
  let project: TestProject & { http: HttpClient };
  let other: TestProject & { http: HttpClient };

  beforeAll(async () => {
    app = await TestApp.create();
    project = await app.project();
    other = await app.project();
  });
  afterAll(() => app.close());

  const connectBody = { apiKey: 'k', apiSecret: 's' };
  const connectWith = (options: RequestOptions, http = project.http): Promise<Answer<ErrorBody>> =>
    http.post('/v0/wallet/kraken/connect', { ...options, headers: { [WALLET]: 'w', ...options.headers } });

  describe('credentials', () => {
    it('are accepted when key, organization and project belong together', async () => {
      const { status } = await project.http.get('/v0/organization/api-key');
      expect(status).toBe(200);
    });

    it('are refused with the same response, whatever is wrong with them', async () => {
      const wrong: Record<string, string | string[]>[] = [
        { [KEY]: '' },
        { [ORGANIZATION]: '' },
        { [PROJECT]: '' },
        { [KEY]: '', [ORGANIZATION]: '', [PROJECT]: '' },
        { [KEY]: 'nonsense' },
        { [KEY]: project.apiKey.slice(0, -1) + (project.apiKey.endsWith('x') ? 'y' : 'x') },
        { [KEY]: other.apiKey },
        { [ORGANIZATION]: other.organizationId },
        { [PROJECT]: other.projectId },
        { [ORGANIZATION]: other.organizationId, [PROJECT]: other.projectId },
        { [ORGANIZATION]: UNKNOWN_ID },
        { [PROJECT]: 'not-a-uuid' },
        { [KEY]: [project.apiKey, project.apiKey] },
        { [KEY]: [other.apiKey, project.apiKey] },
        { [ORGANIZATION]: [project.organizationId, project.organizationId] },
        { [PROJECT]: [project.projectId, other.projectId] },
        { [KEY]: `${project.apiKey}, ${project.apiKey}` },
      ];
      for (const headers of wrong) {
        const answer = await project.http.get<ErrorBody>('/v0/wallet/list', { headers });
        expect({ headers, ...facts(answer) }).toEqual({
          headers,
          status: 401,
          body: { error: 'Invalid or missing API credentials', type: 'GENERIC_UNAUTHORIZED' },
        });
      }
    });

    it('must be the admin token at operator routes, and an API key at other routes', async () => {
      const path = '/v0/admin/organizations';
      const admin = app.http.with({ authorization: `Bearer ${ADMIN_TOKEN}` });
      expect((await admin.get(path)).status).toBe(200);
      for (const http of [project.http, app.http.with({ authorization: 'Bearer wrong' })]) {
        const { status, body } = await http.get<ErrorBody>(path);
        const error = 'Invalid or missing admin token: send ADMIN_TOKEN of this installation as the bearer token';
        expect([status, body.error, body.type]).toEqual([401, error, 'GENERIC_UNAUTHORIZED']);
      }
      expect((await admin.get('/v0/wallet/list')).status).toBe(401);
    });

    it('without the scopes of the endpoint are refused with a list of the missing scopes', async () => {
      const reader = await app.project({ scopes: ['read'] });
      const answer = await reader.http.delete<ErrorBody>('/v0/wallet', { headers: { [WALLET]: 'w' } });
      expect(answer.status).toBe(403);
      expect(answer.body).toMatchObject({ type: 'APIKEY_INSUFFICIENT_PERMISSIONS', missing: ['delete'] });
    });
  });

  describe('the order of checks', () => {
    let powerless: TestProject & { http: HttpClient };
    beforeAll(async () => {
      powerless = await app.project({ scopes: ['kyc'] });
    });

    it('is: body, credentials, scopes, parameters, wallet', async () => {
      const broken = { body: '{"apiKey":' };
      const invalid = { body: { apiKey: 1 } };
      const type = async (options: RequestOptions, http: HttpClient): Promise<string> =>
        (await connectWith(options, http)).body.type;

      expect(await type(broken, app.http)).toBe('GENERIC_VALIDATION_ERROR');
      expect(await type(invalid, app.http)).toBe('GENERIC_UNAUTHORIZED');
      expect(await type(invalid, powerless.http)).toBe('APIKEY_INSUFFICIENT_PERMISSIONS');
      expect(await type(invalid, project.http)).toBe('GENERIC_VALIDATION_ERROR');

      const get = async (headers: Record<string, string>): Promise<string> =>
        (await project.http.get<ErrorBody>('/v0/wallet', { headers })).body.type;
      expect(await get({ [WALLET]: 'not a wallet id' })).toBe('GENERIC_VALIDATION_ERROR');
      expect(await get({ [WALLET]: 'unknown' })).toBe('WALLET_NOT_FOUND');
    });
  });

  describe('the wallet header', () => {
    it('is named in the refusal when it is empty, malformed or repeated', async () => {
      const tooLong = 'w'.repeat(129);
      for (const value of ['', 'a b', 'ü', 'a/b', tooLong, ['w', 'w']]) {
        const headers = { [WALLET]: value === 'ü' ? Buffer.from('ü').toString('latin1') : value };
        const answer = await project.http.get<ErrorBody>('/v0/wallet', { headers });
        expect(answer.status).toBe(400);
        expect(answer.body.type).toBe('GENERIC_VALIDATION_ERROR');
        expect(fieldsOf(answer)).toEqual([WALLET]);
      }
    });

    it('is reported as required when it is missing', async () => {
      const { body } = await project.http.get<ErrorBody>('/v0/wallet');
      expect(body).toMatchObject({ type: 'GENERIC_VALIDATION_ERROR', error: `Invalid request: ${WALLET} is required` });
    });

    it('gets 404 when the project has no wallet of that id', async () => {
      const answer = await project.http.get<ErrorBody>('/v0/wallet', { headers: { [WALLET]: 'w'.repeat(128) } });
      expect(facts(answer)).toEqual({ status: 404, body: { error: 'Wallet not found', type: 'WALLET_NOT_FOUND' } });
    });
  });

  describe('bodies', () => {
    const nested = (levels: number): string => '{"a":'.repeat(levels) + '1' + '}'.repeat(levels);

    it.each([
      ['broken', '{"apiKey":'],
      ['empty', ''],
      ['a string', '"text"'],
      ['a list', '[{"apiKey":"k","apiSecret":"s"}]'],
      ['nested beyond the limit', nested(21)],
      ['nested far beyond the limit', nested(5_000)],
      ['with a __proto__ member', '{"apiKey":"k","apiSecret":"s","__proto__":{"admin":true}}'],
      ['with a constructor.prototype member', '{"apiKey":"k","constructor":{"prototype":{"admin":true}}}'],
      ['larger than the limit', JSON.stringify({ apiKey: 'k', apiSecret: 's'.repeat(32_768) })],
    ])('are refused when they are %s', async (_, body) => {
      const answer = await connectWith({ body });
      expect(answer.status).toBe(400);
      expect(answer.body.type).toBe('GENERIC_VALIDATION_ERROR');
      expect(answer.body.result?.fields).not.toHaveLength(0);
      expect(({} as { admin?: boolean }).admin).toBeUndefined();
    });

    it('are refused when their media type is not JSON', async () => {
      const answer = await connectWith({ body: '<a/>', headers: { 'content-type': 'application/xml' } });
      expect(facts(answer)).toMatchObject({ status: 400, body: { type: 'GENERIC_VALIDATION_ERROR' } });
    });

    it('are refused with the name of every field of the wrong type', async () => {
      const answer = await connectWith({ body: { apiKey: 7, apiSecret: ['s'], apiPassphrase: {} } });
      expect(answer.status).toBe(400);
      expect(fieldsOf(answer).sort()).toEqual(['apiKey', 'apiPassphrase', 'apiSecret']);
      for (const field of fieldsOf(answer)) expect(answer.body.error).toContain(field);
    });

    it('may have members that this version does not define', async () => {
      const answer = await connectWith({ body: { ...connectBody, apiKey: 7, later: { a: [1] } } });
      expect(fieldsOf(answer)).toEqual(['apiKey']);
    });
  });

  describe('query parameters', () => {
    const list = (query: string): Promise<Answer<ErrorBody>> => project.http.get(`/v0/wallet/list?${query}`);

    it('are ignored when this version does not define them', async () => {
      expect((await list('later=1&__proto__=x&constructor=y')).status).toBe(200);
    });

    it('are refused when they are repeated', async () => {
      const answer = await list('page=0&page=1');
      expect(answer.status).toBe(400);
      expect(fieldsOf(answer)).toEqual(['page']);
    });

    it.each(['page=-1', 'page=1001', 'page=x', 'page=1.5', 'page=1e1000', 'limit=0', 'limit=1001', 'limit=NaN'])(
      'are refused when they are no integer or out of bounds, and the error names the parameter: %s',
      async (query) => {
        const answer = await list(query);
        expect(answer.status).toBe(400);
        expect(fieldsOf(answer)).toEqual([query.split('=')[0]]);
      },
    );
  });

  describe('responses', () => {
    it.each(['order-4711/retry#2', 'with a space', '~'.repeat(128), '{"a":"b"}'])(
      'carry the request id of the caller, in error bodies as well: %s',
      async (given) => {
        const answer = await app.http.get<ErrorBody>('/v0/wallet/list', { headers: { 'x-request-id': given } });
        expect([answer.headers['x-request-id'], answer.body.requestId]).toEqual([given, given]);
      },
    );

    it.each(['x'.repeat(129), 'with\ttab', 'é', ['a', 'b']])(
      'carry a request id of the service when the caller’s is not valid: %j',
      async (given) => {
        const answer = await app.http.get<ErrorBody>('/livez', { headers: { 'x-request-id': given } });
        expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
      },
    );

    it('are problem details when the caller accepts them', async () => {
      const answer = await app.http.get('/v0/wallet/list', { headers: { accept: 'application/problem+json' } });
      expect(answer.headers['content-type']).toContain('application/problem+json');
      expect(answer.body).toMatchObject({
        type: '/docs/errors#GENERIC_UNAUTHORIZED',
        title: 'GENERIC_UNAUTHORIZED',
        code: 'GENERIC_UNAUTHORIZED',
        status: 401,
        detail: 'Invalid or missing API credentials',
      });
    });

    it('are problem details whose type is the address of the code’s description', async () => {
      const asked = await fetch(`${app.url}/v0/wallet/list`, { headers: { accept: 'application/problem+json' } });
      const address = new URL(((await asked.json()) as ErrorBody).type, asked.url);
      const page = await fetch(address);
      expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      const html = await page.text();
      for (const code of [address.hash.slice(1), ...Object.keys(errorCodes)]) expect(html).toContain(`id="${code}"`);
      expect(html).not.toMatch(/<script|\son[a-z]+=|`/);
    });

    it.each(['/nothing', '/v0', '/v0/wallets', '/v0/wallet/list/more', '/V0/wallet/list', '/v0/wallet/%00'])(
      'report an unknown path: %s',
      async (path) => {
        const answer = await project.http.get<ErrorBody>(path);
        expect(facts(answer)).toEqual({ status: 404, body: { error: 'Path not found', type: 'GENERIC_NOT_FOUND' } });
      },
    );

    it('report an unknown path when the path has no route for the method', async () => {
      expect((await project.http.put<ErrorBody>('/v0/wallet', { body: {} })).body.type).toBe('GENERIC_NOT_FOUND');
    });

    it('forbid browsers to load or run anything', async () => {
      const { headers } = await app.http.get('/livez');
      expect(headers['content-security-policy']).toContain("default-src 'none'");
      expect(headers['x-content-type-options']).toBe('nosniff');
    });
  });

  it('to /docs get a documentation page that loads nothing from other origins', async () => {
    const page = await fetch(`${app.url}/docs`);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(policy).toContain("script-src 'self'");
    expect(policy).not.toMatch(/unsafe-eval|https?:/);
    const html = await page.text();
    const parts = [...html.matchAll(/(?:src|href)="\.\/([^"]+)"/g)].map(([, path]) => `${app.url}/${path}`);
    expect(parts.length).toBeGreaterThan(4);
    for (const part of parts) {
      const loaded = await fetch(part);
      expect([part, loaded.status, (await loaded.text()).length > 0]).toEqual([part, 200, true]);
    }
    expect(html).not.toMatch(/<script>|\son[a-z]+="/);
    const slash = await fetch(`${app.url}/docs/`);
    expect([slash.url, slash.status]).toEqual([`${app.url}/docs`, 200]);
    expect((await app.http.get('/docs/none')).status).toBe(404);
    const document: unknown = await (await fetch(`${app.url}/openapi.json`)).json();
    expect(document).toEqual(JSON.parse(JSON.stringify(app.document)));
  });

  it('are logged in one line without credentials', async () => {
    const headers = { 'x-request-id': 'logged-once' };
    await project.http.get('/v0/wallet', { headers: { ...headers, [WALLET]: 'unknown' } });
    const lines = app.logLines.filter((line) => line.includes('logged-once'));
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      requestId: 'logged-once',
      project: project.projectId,
      method: 'GET',
      route: '/v0/wallet',
      status: 404,
      code: 'WALLET_NOT_FOUND',
      ms: expect.any(Number) as number,
    });
    expect(app.logLines.filter((line) => line.includes(project.apiKey))).toEqual([]);
  });

  it.each([
    ['a transfer coding that proxies read differently', 'POST /v0/x HTTP/1.1\r\nTransfer-Encoding: gzip, chunked'],
    ['an unknown transfer coding', 'POST /v0/x HTTP/1.1\r\nTransfer-Encoding: identity'],
    ['both a length and a transfer coding', 'POST /v0/x HTTP/1.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked'],
    ['a broken header', 'GET /livez HTTP/1.1\r\nbroken'],
    ['an unknown expectation', 'GET /livez HTTP/1.1\r\nExpect: magic'],
    ['headers that never end', `GET /livez HTTP/1.1\r\nx: ${'x'.repeat(20_000)}`],
    ['two hosts', 'GET /livez HTTP/1.1\r\nHost: other'],
    ['no host', 'GET /livez HTTP/1.1', ''],
  ])('are refused with status 400 when they have %s', async (_, head, host = 'Host: test\r\n') => {
    const answer = await raw(app.url, `${head}\r\n${host}Connection: close\r\n\r\n`);
    const [top = '', body = ''] = answer.split('\r\n\r\n');
    expect(top).toMatch(/^HTTP\/1\.1 400 /);
    expect(top.toLowerCase()).toContain('x-request-id: ');
    expect(JSON.parse(body)).toMatchObject({ type: 'GENERIC_VALIDATION_ERROR' });
  });
});

/** Sends these bytes and returns everything that the server sends until it closes the connection. */
function raw(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.on('data', (part) => parts.push(part));
    socket.on('error', reject);
    socket.on('close', () => resolve(Buffer.concat(parts).toString()));
  });
}

describe('limits and faults', () => {
  it('requests of one key above its limit are refused with 429 and Retry-After', async () => {
    const app = await TestApp.create({ env: { API_KEY_RATE_PER_MINUTE: '3' } });
    const { http } = await app.project();
    const statuses: number[] = [];
    for (let count = 0; count < 4; count += 1) statuses.push((await http.get('/v0/wallet/list')).status);
    const refused = await http.get<ErrorBody>('/v0/wallet/list');
    expect(statuses).toEqual([200, 200, 200, 429]);
    expect(refused.body.type).toBe('GENERIC_RATE_LIMIT_EXCEEDED');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    await app.close();
  });

  it('an unexpected error shows only the request id, and the log has its cause', async () => {
    const app = await TestApp.create();
    const { http } = await app.project();
    await app.asOwner('alter table wallets rename to wallets_away');
    const answer = await http.get<ErrorBody>('/v0/wallet/list');
    expect(answer.status).toBe(500);
    expect(answer.body).toEqual({
      error: 'Internal server error',
      type: 'GENERIC_INTERNAL_SERVER_ERROR',
      requestId: answer.headers['x-request-id'],
    });
    const line = app.logLines.find((text) => text.includes('wallets\\" does not exist'));
    expect(line).toContain(answer.body.requestId);
    await app.close();
  });

  it('a stopping process finishes the requests in progress and refuses new ones', async () => {
    const app = await TestApp.create();
    const { http } = await app.project();
    expect((await http.get('/readyz')).body).toMatchObject({ status: 'ready' });
    const held = await app.holdTable('wallets');
    const begun = http.get('/v0/wallet/list');
    await held.isWaitedFor();
    const finished = app.api.get(Shutdown).begin();

    const ready = await http.get('/readyz');
    expect(ready.status).toBe(503);
    expect(ready.body).toMatchObject({ status: 'unavailable', checks: { running: false, database: true } });
    expect((await http.get('/livez')).status).toBe(200);
    const refused = await http.get<ErrorBody>('/v0/wallet/list');
    expect(refused.status).toBe(503);
    expect(refused.headers['retry-after']).toBe('1');

    await held.release();
    expect((await begun).status).toBe(200);
    await finished;
    await app.close();
  });

  it('the API is not ready when the database lacks migrations', async () => {
    const app = await TestApp.create();
    await app.asOwner('delete from migrations');
    const { status, body } = await app.http.get('/readyz');
    expect(status).toBe(503);
    expect(body).toMatchObject({ status: 'unavailable', checks: { database: false, vault: true, running: true } });
    await app.close();
  });
});
