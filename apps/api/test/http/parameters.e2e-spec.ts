import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Answer } from '../support/documented-responses.js';
import { documentedRoutes, resolveReference } from '../support/documented-routes.js';
import type { HttpClient } from '../support/http-client.js';
import { sendRaw } from '../support/raw-http.js';
import { ADMIN_TOKEN, TestApp, type TestProjectWithClient, type TestWallet } from '../support/test-app.js';
import { btcQuote, type ErrorBody } from '../support/withdrawal-client.js';

const UNKNOWN_ID = '01890000-0000-7000-8000-000000000000';
const METHODS = ['get', 'post', 'put', 'delete'] as const;
/** NUL, line feed, DEL, and a control character of the C1 set. */
const CONTROLS = ['%00', '%0A', '%7F', '%C2%85'];

interface Operation {
  parameters?: { name: string; in: string }[];
}

function facts({ status, body }: Answer<ErrorBody>) {
  return [status, body.type, body.result?.fields?.map(({ field }) => field)];
}

describe('the parameters of a request', () => {
  let app: TestApp;
  let project: TestProjectWithClient;
  let wallet: TestWallet;
  /** Sends all headers that an endpoint checks before it checks a parameter. */
  let http: HttpClient;

  beforeAll(async () => {
    app = await TestApp.create();
    project = await app.project();
    wallet = await app.wallet(project);
    http = wallet.http.with({ authorization: `Bearer ${ADMIN_TOKEN}` });
  });
  afterAll(() => app.close());

  const operations = () =>
    Object.entries(documentedRoutes(app.document)).flatMap(([template, item]) =>
      METHODS.flatMap((method) => {
        const operation = (item as Record<string, Operation | undefined>)[method];
        if (operation === undefined) return [];
        const named = (place: string): string[] =>
          (operation.parameters ?? [])
            .map((parameter) => resolveReference(app.document, parameter))
            .filter((it) => it.in === place)
            .map(({ name }) => name);
        return [{ method, template, query: named('query'), path: named('path') }];
      }),
    );
  const filled = (template: string): string =>
    template.replace('{exchange}', 'kraken').replaceAll(/\{\w+\}/g, UNKNOWN_ID);

  describe('with a control character', () => {
    it('are refused in the query of every endpoint, and the error names the parameter', async () => {
      for (const { method, template, query } of operations()) {
        for (const [index, name] of [...query, 'later'].entries()) {
          const control = CONTROLS[index % CONTROLS.length];
          const answer = await http[method]<ErrorBody>(`${filled(template)}?${name}=a${control}b`);
          expect([method, template, ...facts(answer)]).toEqual([
            method,
            template,
            400,
            'GENERIC_VALIDATION_ERROR',
            [name],
          ]);
        }
      }
    });

    it('are refused in the path of every endpoint, and the error names the parameter', async () => {
      const checked = operations().filter(({ path }) => path.length > 0);
      expect(checked.length).toBeGreaterThan(10);
      for (const { method, template, path } of checked) {
        for (const control of CONTROLS) {
          const answer = await http[method]<ErrorBody>(template.replaceAll(/\{\w+\}/g, `a${control}b`));
          expect([method, template, ...facts(answer)]).toEqual([
            method,
            template,
            400,
            'GENERIC_VALIDATION_ERROR',
            path,
          ]);
        }
      }
    });

    it.each([
      ['/v0/wallet/withdraw/quote', '{"asset":"BTC","amount":"1","address":"a\\u0000b"}', 'address'],
      ['/v0/wallet/withdraw/quote', '{"asset":"BTC","amount":"1\\n","address":"a"}', 'amount'],
      ['/v0/wallet/withdraw/quote', '{"asset":"BTC","amount":"1","address":"a","tag":"\\t"}', 'tag'],
      ['/v0/wallet/withdraw/quote', '{"asset":"BTC","amount":"1","address":"a\\ud800"}', 'address'],
      ['/v0/wallet/trade/order', '{"routeId":"kraken:spot:BTC-USD\\n","volume":"1"}', 'routeId'],
      ['/v0/wallet/kraken/connect', '{"apiKey":"k\\u0000","apiSecret":"s"}', 'apiKey'],
      ['/v0/wallet/kraken/connect', '{"apiKey":"k","apiSecret":"s\\u0000"}', 'apiSecret'],
      ['/v0/admin/organizations', '{"name":"a\\u0085b"}', 'name'],
      ['/v0/admin/organizations', '{"name":"\\ud800"}', 'name'],
      ['/v0/admin/organizations', '{"name":"a","later":[{"b":"\\u0000"}]}', 'later.0.b'],
      ['/v0/admin/organizations', '{"name":"a","b\\u0000":1}', 'b\u{fffd}'],
    ])('are refused in a body, and the error names the field: %s %s', async (path, body, field) => {
      expect(facts(await http.post(path, { body }))).toEqual([400, 'GENERIC_VALIDATION_ERROR', [field]]);
    });

    it('are refused in the body of an execution', async () => {
      const { id } = await btcQuote(wallet);
      const path = `/v0/wallet/withdraw/${id}/execute`;
      const bizNo = await http.put<ErrorBody>(path, { body: { bizNo: 'a\u0000b' } });
      expect(facts(bizNo)).toEqual([400, 'GENERIC_VALIDATION_ERROR', ['bizNo']]);
      const twofa = await http.put<ErrorBody>(path, { body: { twofa: '123456\n' } });
      expect(facts(twofa)).toEqual([400, 'GENERIC_VALIDATION_ERROR', ['twofa']]);
      expect(await app.sandbox.withdrawals(wallet.account)).toEqual([]);
    });

    it('are accepted in a private key when they are line breaks', async () => {
      const apiSecret = '-----BEGIN EC PRIVATE KEY-----\nbm8ga2V5\r\n-----END EC PRIVATE KEY-----\n';
      const answer = await http.post<ErrorBody>('/v0/wallet/coinbase/connect', { body: { apiKey: 'k', apiSecret } });
      expect(answer.body.type).not.toBe('GENERIC_VALIDATION_ERROR');
    });

    it('are refused after credentials and scopes are checked', async () => {
      const path = '/v0/wallet/list?exchange=%00';
      expect((await app.http.get(path)).status).toBe(401);
      const trader = await app.project({ scopes: ['trade'] });
      expect((await trader.http.get(path)).status).toBe(403);
    });
  });

  describe('that are integers', () => {
    const lax = ['0x10', '1e2', '+5', '-5', '5.0', '', ' 5', '5 ', '1_0', '٥', '0000000005', 'Infinity', 'null', '0b1'];
    const places: [string, string][] = [
      ['/v0/wallet/list', 'page'],
      ['/v0/wallet/list', 'limit'],
      ['/v0/wallet/transactions', 'page'],
      ['/v0/wallet/transactions', 'limit'],
      ['/v0/admin/organizations', 'limit'],
      [`/v0/admin/organizations/${UNKNOWN_ID}/projects`, 'page'],
      [`/v0/admin/projects/${UNKNOWN_ID}/api-keys`, 'limit'],
      ['/v0/wallet/withdraw/balance', 'balanceRefreshThreshold'],
    ];

    it.each(places)('accept only digits: %s %s', async (path, name) => {
      for (const text of lax) {
        const answer = await http.get<ErrorBody>(`${path}?${name}=${encodeURIComponent(text)}`);
        expect([text, ...facts(answer)]).toEqual([text, 400, 'GENERIC_VALIDATION_ERROR', [name]]);
      }
      expect((await http.get(`${path}?${name}=007`)).status).not.toBe(400);
    });
  });

  it.each([
    ['/v0/wallet/withdraw/balance', 'autoDeleteIfInvalid', ['', '0', '1', 'TRUE', 'yes', 'null', ' true']],
    ['/v0/wallet/list', 'invalidApi', ['', '0', '1', 'True', 'undefined']],
    [
      '/v0/wallet/list',
      'createdSince',
      ['', '0', 'now', '2026', '2026-1-1', '2026-02-30', '2026-01-31T25:00Z', '20260131'],
    ],
    [
      '/v0/wallet/transactions',
      'sinceDate',
      ['', '1767268800000', '2026-01-31 00:00', '2026-01-31T00:00:00 02:00', '٢٠٢٦-01-31'],
    ],
    ['/v0/wallet/info/fee', 'amount', ['', '0', '0x10', '1e2', '+5', '5.', '.5', '-1', '٥']],
  ])('in a lax format are refused: %s %s', async (path, name, texts) => {
    for (const text of texts) {
      const answer = await http.get<ErrorBody>(`${path}?asset=BTC&${name}=${encodeURIComponent(text)}`);
      expect([text, ...facts(answer)]).toEqual([text, 400, 'GENERIC_VALIDATION_ERROR', [name]]);
    }
  });

  it('are refused when there are more than 100 of them, because each takes time to check', async () => {
    const parameters = (count: number): string => Array.from({ length: count }, (_, index) => `p${index}=1`).join('&');
    for (const path of ['/v0/wallet/list', '/v0/wallet/info/fee', '/v0/market/kraken/tickers']) {
      expect(facts(await http.get<ErrorBody>(`${path}?${parameters(101)}`))).toEqual([
        400,
        'GENERIC_VALIDATION_ERROR',
        ['query'],
      ]);
    }
    expect((await http.get(`/v0/wallet/list?${parameters(100)}`)).status).toBe(200);
  });

  it('that are times with an unescaped + are refused, and the error names the escape to send', async () => {
    const path = '/v0/wallet/transactions?sinceDate=2026-01-31T00:00:00';
    const unescaped = await http.get<ErrorBody>(`${path}+02:00`);
    expect(facts(unescaped)).toEqual([400, 'GENERIC_VALIDATION_ERROR', ['sinceDate']]);
    expect(unescaped.body.error).toContain('send + as %2B');
    expect((await http.get<ErrorBody>(`${path}Y`)).body.error).not.toContain('%2B');
    expect((await http.get(`${path}%2B02:00`)).status).toBe(200);
  });

  describe('that are ids of any length', () => {
    const ids = ['x', 'x'.repeat(256), 'x'.repeat(257), 'x'.repeat(12_000)];
    const places: [(typeof METHODS)[number], string, number, string][] = [
      ['get', '/v0/wallet/transaction/:id', 404, 'GENERIC_NOT_FOUND'],
      ['post', '/v0/wallet/transaction/:id/enrich', 404, 'GENERIC_NOT_FOUND'],
      ['get', '/v0/wallet/withdraw/:id', 404, 'QUOTE_NOT_FOUND'],
      ['put', '/v0/wallet/withdraw/:id/execute', 404, 'QUOTE_NOT_FOUND'],
      ['get', '/v0/wallet/trade/order/:id', 404, 'TRADING_ORDER_NOT_FOUND'],
      ['get', '/v0/market/:id/tickers', 400, 'GENERIC_INVALID_REQUEST'],
    ];
    it.each(places)('get the error for an unknown id: %s %s', async (method, path, status, code) => {
      for (const id of ids) {
        const answer = await http[method]<ErrorBody>(path.replace(':id', id));
        expect([id.length, answer.status, answer.body.type]).toEqual([id.length, status, code]);
        expect(JSON.stringify(answer.body).length).toBeLessThan(1_000);
      }
    });
  });

  it('in a path with a malformed escape are refused, with the request id of the caller', async () => {
    for (const path of ['/v0/wallet/transaction/%zz', '/%', '/v0/wallet/transaction/%E0%A4%A', '/connect/%ff']) {
      const { status, headers, body } = await sendRaw(`${app.url}${path}`, { 'x-request-id': 'my request' });
      expect([path, status, headers['x-request-id']]).toEqual([path, 400, 'my request']);
      expect(JSON.parse(body.toString())).toMatchObject({
        type: 'GENERIC_VALIDATION_ERROR',
        requestId: 'my request',
        result: { fields: [{ field: 'path' }] },
      });
    }
  });

  it('are not read in a request for the target *, which gets 404 with the caller’s request id', async () => {
    const { hostname, port } = new URL(app.url);
    const socket = connect(Number(port), hostname).setEncoding('utf8');
    socket.write('GET * HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: my request\r\nConnection: close\r\n\r\n');
    const [head = ''] = (await text(socket)).split('\r\n\r\n');
    expect(head).toContain('HTTP/1.1 404');
    expect(head).toContain('x-request-id: my request');
  });
});
