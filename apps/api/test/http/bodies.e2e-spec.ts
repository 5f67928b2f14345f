import { gzipSync } from 'node:zlib';
import type { Answer } from '../support/documented-responses.js';
import type { HttpClient } from '../support/http-client.js';
import { sendRaw } from '../support/raw-http.js';
import { ADMIN_TOKEN, TestApp, type TestProjectWithClient, type TestWallet } from '../support/test-app.js';
import { btcQuote, quote, savedAddress, type ErrorBody } from '../support/withdrawal-client.js';

const UNKNOWN_ID = '01890000-0000-7000-8000-000000000000';
const JSON_TYPE = 'application/json';
const FORM = 'application/x-www-form-urlencoded';
const ORDER = '/v0/wallet/trade/order';
const QUOTE = '/v0/wallet/withdraw/quote';

interface Operation {
  requestBody?: { required?: boolean };
}

function fieldsOf({ body }: Answer<ErrorBody>): string[] {
  return (body.result?.fields ?? []).map(({ field }) => field);
}

describe('the body of a request', () => {
  let app: TestApp;
  let project: TestProjectWithClient;
  let wallet: TestWallet;
  /** Sends all headers that an endpoint checks before it reads the body. */
  let http: HttpClient;

  beforeAll(async () => {
    app = await TestApp.create();
    project = await app.project();
  });
  beforeEach(async () => {
    wallet = await app.wallet(project);
    http = wallet.http.with({ authorization: `Bearer ${ADMIN_TOKEN}` });
  });
  afterAll(() => app.close());

  /**
   * Returns the POST, PUT and DELETE operations of the OpenAPI document that match, with ids filled into their paths.
   */
  const operations = (wants: (operation: Operation) => boolean): ['post' | 'put' | 'delete', string][] =>
    Object.entries(app.document.paths).flatMap(([template, item]) =>
      (['post', 'put', 'delete'] as const)
        .filter((method) => {
          const operation = (item as Record<string, Operation | undefined>)[method];
          return operation !== undefined && wants(operation);
        })
        .map((method): ['post' | 'put' | 'delete', string] => [
          method,
          template.replace('{exchange}', 'kraken').replaceAll(/\{\w+\}/g, UNKNOWN_ID),
        ]),
    );
  const takesBody = ({ requestBody }: Operation): boolean => requestBody !== undefined;

  it.each([
    ['a form', FORM],
    ['text', 'text/plain'],
    ['a multipart form', 'multipart/form-data; boundary=x'],
    ['a type of a vendor', 'application/problem+json'],
    ['a type that begins like JSON', 'application/jsonx'],
    ['a list of types', 'application/json, application/json'],
    ['JSON with another type behind a parameter', 'application/json; charset=utf-8, text/plain'],
    ['a malformed type', 'json'],
    ['missing', ''],
  ])(
    'is refused at every endpoint when its content type is %s, and the error names the header to send',
    async (_, type) => {
      const refused = operations(() => true);
      expect(refused.length).toBeGreaterThan(10);
      for (const [method, path] of refused) {
        const answer = await http[method]<ErrorBody>(path, { body: '{}', headers: { 'content-type': type } });
        expect([method, path, answer.status, answer.body.type, fieldsOf(answer)]).toEqual([
          method,
          path,
          400,
          'GENERIC_VALIDATION_ERROR',
          ['content-type'],
        ]);
        expect(answer.body.error).toContain('content-type: application/json');
      }
    },
  );

  it.each([JSON_TYPE, 'Application/JSON', 'application/json;charset=UTF-8', 'application/json ; charset="utf-8";'])(
    'is accepted with the content type %s',
    async (type) => {
      const body = {
        asset: 'BTC',
        network: 'bitcoin',
        amount: '0.01',
        address: savedAddress(wallet, 'BTC', 'Bitcoin'),
      };
      const answer = await http.post<ErrorBody>(QUOTE, { body, headers: { 'content-type': type } });
      expect(answer.status).toBe(200);
    },
  );

  it('is accepted when its content type is sent twice, and refused when the two content types differ', async () => {
    const types = async (...given: string[]): Promise<string[]> => {
      const headers = { ...project.headers, 'x-svc-wallet-id': wallet.walletId, 'content-type': given };
      const { body } = await sendRaw(`${app.url}${QUOTE}`, headers, 'POST', Buffer.from('{"asset":1}'));
      return ((JSON.parse(body.toString()) as ErrorBody).result?.fields ?? []).map(({ field }) => field);
    };
    expect(await types(JSON_TYPE, JSON_TYPE)).toEqual(['asset', 'amount', 'address']);
    expect(await types(JSON_TYPE, FORM)).toEqual(['content-type']);
  });

  it.each(['null', '[]', '[{}]', '"text"', '7', 'true'])(
    'is refused as %s at every endpoint that takes an object',
    async (body) => {
      for (const [method, path] of operations(takesBody)) {
        const answer = await http[method]<ErrorBody>(path, { body });
        expect([method, path, answer.status, answer.body.type, fieldsOf(answer)]).toEqual([
          method,
          path,
          400,
          'GENERIC_VALIDATION_ERROR',
          ['body'],
        ]);
      }
    },
  );

  it.each([
    ['empty', { 'content-type': JSON_TYPE }],
    ['empty and of another type', { 'content-type': FORM }],
    ['empty and of a malformed type', { 'content-type': 'json' }],
    ['empty in chunks', { 'content-type': JSON_TYPE, 'transfer-encoding': 'chunked' }],
    ['empty in chunks and of a malformed type', { 'content-type': 'json', 'transfer-encoding': 'chunked' }],
  ])('counts as absent when it is %s', async (_, headers) => {
    for (const [method, path] of operations(() => true)) {
      const without = await http[method]<ErrorBody>(path);
      const answer = await http[method]<ErrorBody>(path, { headers });
      // The first of the two requests deletes the wallet.
      if (path === '/v0/wallet') expect([without.status, answer.status]).toEqual([200, 404]);
      else expect([path, answer.status, fieldsOf(answer)]).toEqual([path, without.status, fieldsOf(without)]);
      expect(fieldsOf(answer)).not.toContain('body');
      wallet = await app.wallet(project);
      http = wallet.http.with({ authorization: `Bearer ${ADMIN_TOKEN}` });
    }
  });

  it('is optional in openapi.json only for rotating a key or a secret and for executing a quote', () => {
    const optional = operations(({ requestBody }) => requestBody?.required === false).map(([, path]) => path);
    expect(optional.sort()).toEqual([
      `/v0/admin/api-keys/${UNKNOWN_ID}/rotate`,
      `/v0/admin/webhook-endpoints/${UNKNOWN_ID}/rotate`,
      `/v0/wallet/withdraw/${UNKNOWN_ID}/execute`,
    ]);
  });

  it.each([
    ['a member twice', '{"asset":"BTC","asset":"ETH"}'],
    ['a member twice in two spellings', '{"asset":"BTC","a\\u0073set":"ETH"}'],
    ['a member of a member twice', '{"later":[{"a":{"b":1,"b":1}}]}'],
  ])('is refused when it has %s, because parsers disagree about which value counts', async (_, body) => {
    const answer = await http.post<ErrorBody>(QUOTE, { body });
    expect([answer.status, answer.body.type, fieldsOf(answer)]).toEqual([400, 'GENERIC_VALIDATION_ERROR', ['body']]);
  });

  it.each([
    ['is not valid JSON', '{"asset":"BTC",}', 'body must be valid JSON'],
    [
      'has a member __proto__',
      '{"__proto__":{}}',
      'body must have neither a member __proto__ nor a member constructor with a member prototype',
    ],
    ['nests deeper than 20 levels', `{"a":${'['.repeat(20)}${']'.repeat(20)}}`, 'body nests deeper than 20 levels'],
    [
      'has more than 500 members, which all take time to check',
      JSON.stringify(Object.fromEntries(Array.from({ length: 501 }, (__, index) => [`member${index}`, 1]))),
      'body has more than 500 members and list entries',
    ],
    [
      'has more than 500 list entries on a deeper level',
      JSON.stringify({ a: [{ b: Array.from({ length: 500 }, () => 1) }] }),
      'body has more than 500 members and list entries',
    ],
    [
      'has a member constructor.prototype',
      '{"a":[{"constructor":{"prototype":{}}}]}',
      'body must have neither a member __proto__ nor a member constructor with a member prototype',
    ],
  ])('is refused when it %s, with an error that describes the fault', async (_, body, message) => {
    const answer = await http.post<ErrorBody>(QUOTE, { body });
    expect([answer.status, answer.body.type]).toEqual([400, 'GENERIC_VALIDATION_ERROR']);
    expect(answer.body.result?.fields).toEqual([{ field: 'body', message }]);
  });

  it('may repeat a member name at different levels, and may have member names that contain quotes', async () => {
    const body = '{"a":{"b":"b"},"b":["b",{"b":"\\"b\\":"}],"\\"b":1}';
    expect(fieldsOf(await http.post<ErrorBody>(QUOTE, { body }))).toEqual(['asset', 'amount', 'address']);
  });

  it('is refused when it is compressed, or not UTF-8', async () => {
    const gzip = await http.post<ErrorBody>(QUOTE, { body: '{}', headers: { 'content-encoding': 'gzip' } });
    expect(fieldsOf(gzip)).toEqual(['content-encoding']);
    const { status, body } = await sendRaw(
      `${app.url}${QUOTE}`,
      { 'content-type': JSON_TYPE },
      'POST',
      latin1('{"tag":"é"}'),
    );
    expect([status, (JSON.parse(body.toString()) as ErrorBody).result?.fields?.[0]?.field]).toEqual([400, 'body']);
  });

  it('is ignored in a GET when it is JSON, and refused otherwise', async () => {
    const path = '/v0/wallet/list';
    const headers = project.headers;
    const form = await sendRaw(
      `${app.url}${path}`,
      { ...headers, 'content-type': FORM },
      'GET',
      Buffer.from('limit=1'),
    );
    expect([form.status, form.body.toString()]).toEqual([
      400,
      expect.stringContaining('content-type: application/json'),
    ]);
    const json = await sendRaw(
      `${app.url}${path}`,
      { ...headers, 'content-type': JSON_TYPE },
      'GET',
      Buffer.from('{"limit":0}'),
    );
    expect(json.status).toBe(200);
    const none = await sendRaw(`${app.url}${path}`, { ...headers, 'content-type': FORM });
    expect(none.status).toBe(200);
  });

  it('is checked before the path is looked up, so that no response shows which paths exist', async () => {
    for (const [type, field] of [
      [FORM, 'content-type'],
      ['', 'content-type'],
      [JSON_TYPE, 'body'],
    ] as const) {
      const { status, body } = await sendRaw(`${app.url}/v0/nothing`, typed(type), 'POST', Buffer.from('{'));
      expect([status, (JSON.parse(body.toString()) as ErrorBody).result?.fields?.[0]?.field]).toEqual([400, field]);
    }
  });

  it('is also refused when it is a form of the connect page that is compressed or not UTF-8', async () => {
    const typeOf = async (headers: Record<string, string>, bytes: Buffer): Promise<unknown> => {
      const form = { accept: JSON_TYPE, 'content-type': FORM, 'sec-fetch-site': 'same-origin', ...headers };
      const { body } = await sendRaw(`${app.url}/connect/nothing/exchange`, form, 'POST', bytes);
      return (JSON.parse(body.toString()) as ErrorBody).type;
    };
    const form = Buffer.from('exchange=kraken');
    expect(await typeOf({}, form)).toBe('GENERIC_NOT_FOUND');
    expect(await typeOf({ 'content-encoding': 'gzip' }, gzipSync(form))).toBe('GENERIC_VALIDATION_ERROR');
    expect(await typeOf({}, Buffer.from([...form, 0xff]))).toBe('GENERIC_VALIDATION_ERROR');
  });

  it('is refused when it is sent as a form, and no order is placed and no quote executed', async () => {
    const order = await http.post<ErrorBody>(ORDER, {
      body: 'routeId=BTC/USD&volume=0.001',
      headers: { 'content-type': FORM },
    });
    const asText = await http.post<ErrorBody>(ORDER, {
      body: '{"routeId":"BTC/USD","volume":"0.001"}',
      headers: { 'content-type': FORM },
    });
    expect([fieldsOf(order), fieldsOf(asText)]).toEqual([['content-type'], ['content-type']]);
    expect(await app.sandbox.orders(wallet.account)).toEqual([]);

    const address = savedAddress(wallet, 'XRP', 'Ripple XRP');
    const { body: quoted } = await quote(wallet, { asset: 'XRP', amount: '50', address });
    const paid = await http.put<ErrorBody>(`/v0/wallet/withdraw/${quoted.id}/execute`, {
      body: '{"tag":"1000001"}',
      headers: { 'content-type': FORM },
    });
    expect([paid.status, fieldsOf(paid)]).toEqual([400, ['content-type']]);
    expect(await app.sandbox.withdrawals(wallet.account)).toEqual([]);
  });

  it('is a different payload for an Idempotency-Key when it is null than when it is absent', async () => {
    const { id } = await btcQuote(wallet);
    const path = `/v0/wallet/withdraw/${id}/execute`;
    const keyed = http.with({ 'idempotency-key': id });
    const paid = await keyed.put<ErrorBody>(path);
    expect(paid.status).toBe(200);
    expect((await keyed.put<ErrorBody>(path, { body: 'null' })).status).toBe(422);
    const form = await keyed.put<ErrorBody>(path, { body: 'a=b', headers: { 'content-type': FORM } });
    expect(fieldsOf(form)).toEqual(['content-type']);
    expect((await keyed.put<ErrorBody>(path)).body).toEqual(paid.body);
  });
});

function typed(type: string): Record<string, string> {
  return type === '' ? {} : { 'content-type': type };
}

function latin1(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}
