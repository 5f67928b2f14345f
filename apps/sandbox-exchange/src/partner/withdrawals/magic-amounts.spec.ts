import { Amount } from '#money';
import { PartnerClient } from '../../../test/partner.js';
import { TestSandbox } from '../../../test/sandbox.js';
import { magicEffect } from './magic-amounts.js';

describe('magic amounts', () => {
  let sandbox: TestSandbox;
  let client: PartnerClient;
  beforeEach(async () => {
    sandbox = await TestSandbox.start();
    client = await PartnerClient.open(sandbox);
  });
  afterEach(() => sandbox.close());

  it.each([
    ['01', 422, 'insufficient_funds'],
    ['02', 422, 'insufficient_funds_for_fee'],
    ['03', 422, 'invalid_address'],
    ['04', 409, 'too_many_addresses'],
    ['05', 409, 'funding_address_conflict'],
    ['06', 403, 'kyc_required'],
    ['07', 403, 'email_unverified'],
    ['08', 429, 'rate_limited'],
    ['09', 423, 'account_on_hold'],
    ['10', 422, 'network_not_supported'],
    ['11', 422, 'asset_not_supported'],
    ['12', 422, 'amount_below_minimum'],
    ['13', 422, 'amount_above_maximum'],
    ['14', 422, 'fee_changed'],
    ['15', 503, 'unavailable'],
  ])('666%s is refused with %d %s and never booked; preview and challenge succeed', async (end, status, code) => {
    const amount = `0.01666${end}`;
    const response = await client.withdraw({ amount });
    expect([response.status, response.body.error?.code]).toEqual([status, code]);
    expect(response.headers.get('retry-after')).toBe(code === 'rate_limited' ? '30' : null);
    expect(await client.booked()).toEqual([]);
    expect((await client.call('POST', '/withdrawals/preview', client.order({ amount }))).status).toBe(200);
    expect(await client.challenge({ amount })).toBeNull();
  });

  it.each([
    ['16', 500, true],
    ['17', null, true],
    ['18', null, false],
  ])('666%s gets the response %s; booked: %s', async (end, status, booked) => {
    const response = await client.withdraw({ amount: `0.01666${end}` }).catch(() => null);
    expect(response?.status ?? null).toBe(status);
    expect(await client.booked()).toHaveLength(booked ? 1 : 0);
  });

  it('66619 is booked at once, and its response comes late', async () => {
    let answered = false;
    const call = client.withdraw({ amount: '0.0166619' }).then((response) => {
      answered = true;
      return response;
    });
    const deadline = Date.now() + 10_000;
    while ((await client.booked()).length === 0 && Date.now() < deadline);
    expect(await client.booked()).toHaveLength(1);
    expect(answered).toBe(false);
    // The reset releases the delayed response.
    await sandbox.control('POST', 'reset');
    expect((await call).status).toBe(201);
  });

  it.each([
    ['20', 'failed'],
    ['21', 'canceled'],
  ])('666%s is booked, ends %s, and the money is returned', async (end, status) => {
    await client.withdraw({ amount: `0.01666${end}` });
    expect(Number(await client.balance())).toBeLessThan(5);
    sandbox.advance(3000);
    expect((await client.list()).withdrawals).toMatchObject([{ status }]);
    expect(await client.balance()).toBe('5');
  });

  it('66622 stays requested for one more minute', async () => {
    await client.withdraw({ amount: '0.0166622' });
    sandbox.advance(60_000);
    expect((await client.list()).withdrawals).toMatchObject([{ status: 'requested' }]);
    sandbox.advance(3000);
    expect((await client.list()).withdrawals).toMatchObject([{ status: 'confirmed' }]);
  });

  it('66623 is not listed for 30 seconds, but its reference counts as used', async () => {
    await client.withdraw({ amount: '0.0166623' });
    expect((await client.list()).withdrawals).toEqual([]);
    expect((await client.withdraw({ amount: '0.0166623' })).body).toMatchObject({ duplicate: true });
    sandbox.advance(30_000);
    expect((await client.list()).withdrawals).toHaveLength(1);
  });

  it('take effect only after every real check, including verification', async () => {
    expect(await client.errorOf({ amount: '7.66603' })).toBe('insufficient_funds');
    const guarded = await PartnerClient.open(sandbox, { verification: { mode: 'inline', methods: ['GOOGLE'] } });
    expect(await guarded.errorOf({ amount: '0.0166606' })).toBe('verification_required');
    const codes = { authenticator: guarded.totp() };
    expect(await guarded.errorOf({ amount: '0.0166606', codes })).toBe('kyc_required');
  });

  it.each([
    ['0.01066610', 'network_not_supported'],
    ['0.0106661', 'network_not_supported'],
    ['50.066617', 'dropped'],
    ['0.66661', 'network_not_supported'],
  ])('%s means %s, with or without trailing zeros', (text, meaning) => {
    const effect = magicEffect(Amount.of(text));
    expect(effect?.kind === 'refuse' ? effect.code : effect?.kind === 'book' && effect.response).toBe(meaning);
  });

  it.each(['0.01', '0.0666', '0.066600', '0.066624', '0.066699', '666.01', '0.666010001', '66601'])(
    'do not include %s, which has no special effect',
    (text) => {
      expect(magicEffect(Amount.of(text))).toBeNull();
    },
  );
});
