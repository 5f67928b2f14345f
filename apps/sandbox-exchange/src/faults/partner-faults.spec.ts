import { until } from '#platform/testing';
import { PartnerClient } from '../../test/partner.js';
import { TestSandbox } from '../../test/sandbox.js';
import { faultNames, type FaultName } from './faults.js';

describe('a fault at the partner API', () => {
  let sandbox: TestSandbox;
  let client: PartnerClient;
  beforeEach(async () => {
    sandbox = await TestSandbox.start();
    client = await PartnerClient.open(sandbox);
  });
  afterEach(() => sandbox.close());

  async function seen(): Promise<{ response: number | 'dropped'; body: string; booked: boolean }> {
    const validUntil = sandbox.clock.now.getTime() + 60_000;
    const response = await fetch(`${sandbox.url}/partner/v1/withdrawals`, {
      method: 'POST',
      headers: { authorization: `Bearer ${client.account.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ reference: 'one', maxFee: '1', validUntil, ...client.order() }),
    }).catch(() => null);
    const body = response === null ? '' : await response.text();
    return { response: response?.status ?? 'dropped', body, booked: (await client.booked()).length === 1 };
  }

  const BOOKED = /^\{"withdrawal":\{"id":"W/;
  it.each<[FaultName, number | 'dropped', RegExp, boolean]>([
    ['request_lost', 'dropped', /^$/, false],
    ['answer_lost', 'dropped', /^$/, true],
    ['error_before', 502, /html/, false],
    ['error_after', 502, /html/, true],
    ['slow', 201, BOOKED, true],
    ['latency', 201, BOOKED, true],
    ['rate_limit', 429, /"rate_limited"/, false],
    ['http_429', 429, /html/, false],
    ['malformed_before', 200, /^<html>/, false],
    ['malformed_after', 200, /^<html>/, true],
    ['empty_after', 200, /^$/, true],
    ['result_null_after', 201, /^\{"withdrawal":null\}$/, true],
    ['definite_refusal', 422, /"insufficient_funds"/, false],
    ['duplicate_answer', 201, BOOKED, true],
    ['revoked_key', 401, /"token_revoked"/, false],
    ['ip_refused', 403, /"ip_not_allowed"/, false],
    ['service_unavailable', 503, /"unavailable"/, false],
    ['clock_jump', 201, BOOKED, true],
  ])('%s: the response to a withdrawal is %s', async (fault, response, body, booked) => {
    await sandbox.arm('partner.withdraw', fault, { delayMs: 5 });
    expect(await seen()).toEqual({ response, body: expect.stringMatching(body), booked });
    const { body: listed } = await sandbox.control('GET', 'faults');
    expect(listed).toMatchObject({ faults: [{ fault, fired: 1 }] });
  });

  it.each<FaultName>(['accept_late', 'arrive_late'])('%s: books the withdrawal later, and only once', async (fault) => {
    await sandbox.arm('partner.withdraw', fault, { delayMs: 200 });
    expect(await seen()).toMatchObject({ response: 'dropped', booked: false });
    await until('the exchange acted', async () => (await client.booked()).length === 1);
    expect(await seen()).toMatchObject({ response: 200, booked: true });
  });

  it.each<FaultName>(['accept_late', 'arrive_late', 'latency'])(
    '%s: books nothing once validUntil has passed, however early the request came',
    async (fault) => {
      await sandbox.arm('partner.withdraw', fault, { delayMs: 200 });
      const call = seen();
      await until('the exchange acted', async () =>
        JSON.stringify((await sandbox.control('GET', 'faults')).body).includes('"fired":1'),
      );
      sandbox.advance(60_001);
      await call;
      // The fault delays a second withdrawal by the same time. When the exchange has booked the second withdrawal, it
      // has handled the first one, too, and refused it.
      await sandbox.arm('partner.withdraw', fault, { delayMs: 200 });
      await client.withdraw({ reference: 'later' }).catch(() => null);
      await until('the exchange acted', async () => (await client.booked()).length > 0);
      const listed = (await client.list()).withdrawals;
      expect(listed.map(({ reference }) => reference)).toEqual(['later']);
    },
  );

  it.each<[FaultName, boolean]>([
    ['hang_before', false],
    ['hang_after', true],
  ])('%s: sends no response, and drops the connection when the faults are deleted', async (fault, booked) => {
    await sandbox.arm('partner.withdraw', fault);
    const hanging = seen();
    await until('the exchange acted', async () =>
      JSON.stringify((await sandbox.control('GET', 'requests?endpoint=partner.withdraw')).body).includes('pending'),
    );
    await sandbox.control('DELETE', 'faults');
    expect(await hanging).toEqual({ response: 'dropped', body: '', booked });
  });

  it('history_lags, history_errors and history_other_fee change the list of withdrawals', async () => {
    await client.withdraw();
    await sandbox.arm('partner.withdrawals', 'history_lags', { delayMs: 60_000, count: 2 });
    expect(await client.list()).toEqual({ withdrawals: [], nextCursor: null });
    sandbox.advance(61_000);
    expect((await client.list()).withdrawals).toHaveLength(1);
    await sandbox.arm('partner.withdrawals', 'history_errors');
    expect(await client.list()).toMatchObject({ error: { code: 'internal_error' } });
    await sandbox.arm('partner.withdrawals', 'history_other_fee');
    expect(await client.list()).toMatchObject({ withdrawals: [{ amount: '0.00985', fee: '0.0003' }] });
  });

  it('clock_jump moves the clock that validUntil is compared with', async () => {
    await sandbox.arm('partner.withdraw', 'clock_jump', { delayMs: 120_000 });
    expect(await client.errorOf()).toBe('request_expired');
  });

  it.each([
    ['GET', '/account', 'partner.account'],
    ['GET', '/balances', 'partner.balances'],
    ['GET', '/networks', 'partner.networks'],
    ['POST', '/withdrawals/preview', 'partner.preview'],
    ['POST', '/challenges', 'partner.challenge.open'],
    ['GET', '/challenges/1', 'partner.challenge.read'],
    ['POST', '/challenges/1/verify', 'partner.challenge.verify'],
    ['POST', '/withdrawals', 'partner.withdraw'],
    ['GET', '/withdrawals', 'partner.withdrawals'],
  ])(
    'affects %s %s when it is armed for the endpoint %s, but only calls with the token that it names',
    async (method, path, endpoint) => {
      const body = method === 'GET' ? undefined : {};
      await sandbox.arm(endpoint, 'service_unavailable', { apiKey: 'somebody-else' });
      expect((await client.call(method, path, body)).status).not.toBe(503);
      await sandbox.arm(endpoint, 'service_unavailable', { apiKey: client.account.token });
      expect((await client.call(method, path, body)).status).toBe(503);
      const { body: listed } = await sandbox.control('GET', `requests?endpoint=${endpoint}`);
      expect(listed).toMatchObject({
        requests: [{}, { outcome: 'unavailable', apiKeyHint: client.account.token.slice(-4) }],
      });
      expect(JSON.stringify(listed)).not.toContain(client.account.token);
    },
  );

  it('can name the error code of the response', async () => {
    await sandbox.arm('partner.withdraw', 'definite_refusal', { error: 'kyc_required' });
    expect(await client.withdraw()).toMatchObject({ status: 403, body: { error: { code: 'kyc_required' } } });
  });

  it.each([
    { endpoint: 'partner.withdraw', fault: 'wrong_nonce' },
    { endpoint: 'partner.account', fault: 'history_lags' },
    { endpoint: 'partner.nothing', fault: 'slow' },
    { endpoint: 'partner.withdraw', fault: 'definite_refusal', error: 'EFunding:Insufficient funds' },
  ])('is refused where it does not apply: %j', async (fault) => {
    expect((await sandbox.control('POST', 'faults', fault)).status).toBe(422);
  });

  it('has no effect when it is armed for every endpoint but exists only in Kraken’s protocol', async () => {
    const account = await sandbox.open();
    await sandbox.arm('*', 'wrong_nonce');
    expect((await client.withdraw()).status).toBe(201);
    expect(await sandbox.errorsOf(account, 'Balance', { nonce: '1' })).toEqual(['EAPI:Invalid nonce']);
  });

  it('that changes histories leaves all other responses unchanged, even when it is armed for every endpoint', async () => {
    const account = await sandbox.open();
    const read = async (nonce: string): Promise<unknown[]> => {
      const methods = await sandbox.call(account, 'WithdrawMethods', { nonce });
      const ofPartner = await Promise.all(
        ['/account', '/balances', '/networks'].map((path) => client.call('GET', path)),
      );
      return [await methods.json(), ...ofPartner.map(({ status, body }) => ({ status, body }))];
    };
    await client.withdraw();
    const before = await read('1');
    expect(before).toMatchObject([{ error: [] }, { status: 200 }, { status: 200 }, { status: 200 }]);
    await sandbox.arm('*', 'history_other_fee', { count: null });
    expect(await read('2')).toEqual(before);
    expect(await client.list()).toMatchObject({ withdrawals: [{ amount: '0.00985', fee: '0.0003' }] });
    expect(faultNames).toContain('history_other_fee');
  });
});
