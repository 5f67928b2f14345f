import { readFileSync } from 'node:fs';
import path from 'node:path';
import { scopes, type Scope } from '#access';
import { projectRoot } from '#platform/testing';
import type { HttpClient } from '../support/http-client.js';
import { TestApp } from '../support/test-app.js';

/** The scopes of every endpoint that requires a key. An endpoint without a line fails the test. */
const required: Readonly<Record<string, readonly Scope[]>> = {
  createConnectUrl: ['connect'],
  createConnectUrlWithoutExchange: ['connect'],
  connectWallet: ['connect'],
  getApiKey: [],
  getWallet: ['read'],
  deleteWallet: ['read', 'delete'],
  listWallets: ['read'],
  pingWallet: ['read'],
  getIdentity: ['read', 'kyc'],
  getDepositAddress: ['read', 'deposit'],
  getTransaction: ['read'],
  enrichTransaction: ['read'],
  listTransactions: ['read'],
  getTradableAssets: ['read'],
  placeOrder: ['trade'],
  getOrder: ['trade'],
  getWithdrawalBalance: ['read'],
  getWithdrawalFees: ['read'],
  createQuote: ['read', 'quote'],
  getWithdrawal: ['read', 'quote'],
  executeQuote: ['read', 'quote', 'withdrawal'],
};

interface Endpoint {
  readonly method: 'get' | 'post' | 'put' | 'delete';
  readonly path: string;
  readonly operationId: string;
  readonly 'x-required-scopes'?: readonly string[];
}

const document = JSON.parse(readFileSync(path.join(projectRoot, 'openapi.json'), 'utf8')) as {
  paths: Record<string, Record<Endpoint['method'], Omit<Endpoint, 'method' | 'path'>>>;
};
const endpoints = Object.entries(document.paths)
  .flatMap(([route, methods]) =>
    (['get', 'post', 'put', 'delete'] as const).flatMap((method) =>
      Object.hasOwn(methods, method) ? [{ ...methods[method], method, path: route }] : [],
    ),
  )
  .filter((endpoint) => endpoint['x-required-scopes'] !== undefined);
const cases = endpoints.flatMap((endpoint) =>
  (required[endpoint.operationId] ?? []).map((scope) => [endpoint.operationId, scope, endpoint] as const),
);

describe('every endpoint with a key', () => {
  let app: TestApp;
  /** For each scope, a client whose key has all scopes except this one. */
  const without = new Map<string, HttpClient>();
  let powerless: HttpClient;

  beforeAll(async () => {
    app = await TestApp.create();
    for (const scope of scopes) {
      const { http } = await app.project({ scopes: scopes.filter((each) => each !== scope) });
      without.set(scope, http);
    }
    // A key has at least one scope. No endpoint requires only this one.
    powerless = (await app.project({ scopes: ['kyc'] })).http;
  });
  afterAll(() => app.close());

  const send = (http: HttpClient | undefined, { method, path: route }: Endpoint) => {
    if (http === undefined) throw new Error('there is no key without this scope');
    const target = route.replace('{exchange}', 'kraken').replaceAll(/\{\w+\}/g, '01890000-0000-7000-8000-000000000000');
    return http[method]<{ type: string; missing?: string[] }>(target, { headers: { 'x-svc-wallet-id': 'w' } });
  };

  it('has its scopes in the table of this test', () => {
    const stated = endpoints.map((endpoint) => [endpoint.operationId, endpoint['x-required-scopes']] as const);
    expect(Object.fromEntries(stated)).toEqual(required);
  });

  it.each(cases)('refuses %s with a key that lacks only the scope %s', async (_id, scope, endpoint) => {
    const { status, body } = await send(without.get(scope), endpoint);
    expect([status, body.type, body.missing]).toEqual([403, 'APIKEY_INSUFFICIENT_PERMISSIONS', [scope]]);
  });

  it.each(endpoints.map((endpoint) => [endpoint.operationId, endpoint] as const))(
    'lists all scopes that a key lacks for %s',
    async (operationId, endpoint) => {
      const missing = (required[operationId] ?? []).filter((scope) => scope !== 'kyc');
      const { status, body } = await send(powerless, endpoint);
      if (missing.length === 0) expect(status).not.toBe(403);
      else expect([status, body.missing]).toEqual([403, missing]);
    },
  );
});
