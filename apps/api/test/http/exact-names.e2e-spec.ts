import type { Answer } from '../support/documented-responses.js';
import { ADMIN_TOKEN, TestApp, type TestProjectWithClient, type TestWallet } from '../support/test-app.js';
import { savedAddress, type ErrorBody } from '../support/withdrawal-client.js';

const ORDER = { routeId: 'kraken:spot:BTC-USD', volume: '0.001' };

function facts({ status, body }: Answer<ErrorBody>) {
  return [status, body.type, body.result?.fields?.map(({ field }) => field)];
}

describe('a request with an unknown field name', () => {
  let app: TestApp;
  let project: TestProjectWithClient;
  let wallet: TestWallet;

  beforeAll(async () => {
    app = await TestApp.create();
    project = await app.project();
    wallet = await app.wallet(project, { balances: { BTC: '5', USD: '100000', XRP: '1000' } });
  });
  afterAll(() => app.close());

  const refused = (field: string) => [400, 'GENERIC_VALIDATION_ERROR', [field]];

  // The Cyrillic letter i resembles `i`. An order that lost its price or side would sell at any price.
  it.each([
    [{ Price: '200000' }, 'Price'],
    [{ SIDE: 'buy' }, 'SIDE'],
    [{ 'pr\u0456ce': '200000' }, 'pr\u0456ce'],
    [{ _type: 'limit' }, '_type'],
    [{ dryRun: true }, 'dryRun'],
    [{ params: { dryRun: true } }, 'params.dryRun'],
    [{ options: [{ 'dry-run': 1 }] }, 'options.0.dry-run'],
  ])('places no order when the name is similar to a documented one: %j', async (member, field) => {
    const answer = await wallet.http.post<ErrorBody>('/v0/wallet/trade/order', { body: { ...ORDER, ...member } });
    expect(facts(answer)).toEqual(refused(field));
    expect(answer.body.error).toContain(field);
    expect(await app.sandbox.countCalls(wallet.account, 'AddOrder')).toBe(0);
  });

  it('places no order for a dry run in the query or in a header', async () => {
    const path = '/v0/wallet/trade/order';
    expect(facts(await wallet.http.post<ErrorBody>(`${path}?dryRun=true`, { body: ORDER }))).toEqual(refused('dryRun'));
    const headers = { 'x-dry-run': 'true' };
    expect(facts(await wallet.http.post<ErrorBody>(path, { body: ORDER, headers }))).toEqual(refused('x-dry-run'));
    expect(await app.sandbox.countCalls(wallet.account, 'AddOrder')).toBe(0);
  });

  it.each([
    ['limitPrice', '200000', 'write price'],
    ['limit_price', '200000', 'write price'],
    ['priceLimit', '200000', 'write price'],
    ['px', '200000', 'write price'],
    ['orderSide', 'buy', 'write side'],
    ['ordType', 'limit', 'write type'],
    ['stopPrice', '90000', 'there are no stop orders'],
    ['trigger_price', '90000', 'there are no stop orders'],
    ['time_in_force', 'IOC', 'is open until it is filled or canceled'],
    ['postOnly', true, 'may be filled at once'],
    ['clientOrderId', 'mine', 'send your own id of the order in the header Idempotency-Key'],
    ['validate', true, 'orders have no dry run'],
    ['validateOnly', true, 'orders have no dry run'],
  ])(
    'places no order when a field has a usual name that is not ours, or is not supported: %s',
    async (name, value, advice) => {
      const answer = await wallet.http.post<ErrorBody>('/v0/wallet/trade/order', { body: { ...ORDER, [name]: value } });
      expect(facts(answer)).toEqual(refused(name));
      expect(answer.body.error).toContain(name);
      expect(answer.body.error).toContain(advice);
      expect(await app.sandbox.countCalls(wallet.account, 'AddOrder')).toBe(0);
    },
  );

  it.each([
    ['price=200000', 'price', 'send price in the body'],
    ['side=buy', 'side', 'send side in the body'],
    ['limit_price=200000', 'limit_price', 'send price in the body'],
    ['stopPrice=90000', 'stopPrice', 'there are no stop orders'],
    ['validate', 'validate', 'orders have no dry run'],
  ])('places no order when its query has a parameter that belongs in the body: %s', async (query, name, advice) => {
    const path = `/v0/wallet/trade/order?${query}`;
    const answer = await wallet.http.post<ErrorBody>(path, { body: ORDER });
    expect(facts(answer)).toEqual(refused(name));
    expect(answer.body.error).toContain(advice);
    expect(await app.sandbox.countCalls(wallet.account, 'AddOrder')).toBe(0);
  });

  it('makes no quote when its tag is in the query', async () => {
    const body = { asset: 'XRP', amount: '50', address: savedAddress(wallet, 'XRP', 'Ripple XRP') };
    for (const name of ['tag', 'memo']) {
      const answer = await wallet.http.post<ErrorBody>(`/v0/wallet/withdraw/quote?${name}=5`, { body });
      expect(facts(answer)).toEqual(refused(name));
      expect(answer.body.error).toContain('send tag in the body');
    }
  });

  it.each([
    [{ Tag: '5' }, 'Tag'],
    [{ memo: '5' }, 'memo'],
    [{ destination_tag: '5' }, 'destination_tag'],
    [{ 't\u0430g': '5' }, 't\u0430g'],
    [{ include_fee: true }, 'include_fee'],
    [{ NETWORK: 'ripple' }, 'NETWORK'],
  ])('makes no quote when the name is similar to a documented one: %j', async (member, field) => {
    const address = savedAddress(wallet, 'XRP', 'Ripple XRP');
    const body = { asset: 'XRP', amount: '50', address, ...member };
    expect(facts(await wallet.http.post<ErrorBody>('/v0/wallet/withdraw/quote', { body }))).toEqual(refused(field));
  });

  it.each([
    [{ ipAllowList: ['192.0.2.7'] }, 'ipAllowList'],
    [{ expires_at: '2030-01-01T00:00:00Z' }, 'expires_at'],
  ])('issues and rotates no API key when the name is similar to a documented one: %j', async (member, field) => {
    const http = app.http.with({ authorization: `Bearer ${ADMIN_TOKEN}` });
    const body = { name: 'key', scopes: ['read'], ...member };
    const keys = `/v0/admin/projects/${project.projectId}/api-keys`;
    expect(facts(await http.post<ErrorBody>(keys, { body }))).toEqual(refused(field));
    const issued = await http.post<{ id: string }>(keys, { body: { name: 'key', scopes: ['read'] } });
    const rotate = `/v0/admin/api-keys/${issued.body.id}/rotate`;
    expect(facts(await http.post<ErrorBody>(rotate, { body: { OverlapSeconds: 0 } }))).toEqual(
      refused('OverlapSeconds'),
    );
  });

  it('rotates no webhook secret when the name is similar to a documented one', async () => {
    const http = app.http.with({ authorization: `Bearer ${ADMIN_TOKEN}` });
    const path = '/v0/admin/webhook-endpoints/01890000-0000-7000-8000-000000000000/rotate';
    const answer = await http.post<ErrorBody>(path, { body: { overlap_seconds: 0 } });
    expect(facts(answer)).toEqual(refused('overlap_seconds'));
  });

  it('places an order when the name is not similar to a documented one', async () => {
    const body = { ...ORDER, memo: 'a', note: 'Miete für März', later: { price: '1' } };
    expect((await wallet.http.post('/v0/wallet/trade/order', { body })).status).toBe(200);
  });
});
