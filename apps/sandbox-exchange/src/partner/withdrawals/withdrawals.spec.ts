import { PartnerClient } from '../../../test/partner.js';
import { TestSandbox } from '../../../test/sandbox.js';

const RIPPLE = 'r32MzJoSozSZEUQgzXGErQk9uyBhqataFb';

describe('a withdrawal by the partner API', () => {
  let sandbox: TestSandbox;
  let client: PartnerClient;

  beforeEach(async () => {
    sandbox = await TestSandbox.start();
    client = await PartnerClient.open(sandbox);
  });
  afterEach(() => sandbox.close());

  it('debits the amount and the fee, and goes from requested to sent to confirmed', async () => {
    const { status, body } = await client.withdraw();
    expect(status).toBe(201);
    expect(body.withdrawal).toEqual({
      id: expect.any(String),
      reference: 'one',
      asset: 'BTC',
      network: 'bitcoin',
      address: client.bitcoin,
      tag: null,
      amount: '0.01',
      fee: '0.00015',
      status: 'requested',
      txHash: null,
      createdAt: sandbox.clock.now.getTime(),
    });
    expect(await client.balance()).toBe('4.98985');
    sandbox.advance(1500);
    expect((await client.list()).withdrawals).toMatchObject([{ status: 'sent', txHash: expect.any(String) }]);
    sandbox.advance(1500);
    expect((await client.list()).withdrawals).toMatchObject([{ status: 'confirmed', txHash: expect.any(String) }]);
  });

  it('is booked once for twenty parallel requests with one reference', async () => {
    const responses = await Promise.all(Array.from({ length: 20 }, () => client.withdraw()));
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(new Set(responses.map(({ body }) => body.withdrawal?.id)).size).toBe(1);
    expect(responses.filter(({ status, body }) => status === 200 && body.duplicate === true)).toHaveLength(19);
    expect(await client.booked()).toHaveLength(1);
    expect(await client.balance()).toBe('4.98985');
  });

  it('is returned in its current state to a repeat of its request, even after validUntil', async () => {
    const validUntil = sandbox.clock.now.getTime() + 1000;
    await client.withdraw({ validUntil });
    sandbox.advance(5000);
    const { status, body } = await client.withdraw({ validUntil });
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { duplicate: true, withdrawal: { status: 'confirmed' } },
    });
    expect(await client.booked()).toHaveLength(1);
  });

  it.each([{ amount: '0.02' }, { address: '16UMkmhauCp7rRo89SciYkppzcTdfxrEFR' }, { maxFee: '2' }, { validUntil: 1 }])(
    'has a reference that no request with other values can use: %j',
    async (change) => {
      await client.withdraw();
      expect((await client.withdraw(change)).body.error?.code).toBe('reference_conflict');
      expect(await client.booked()).toHaveLength(1);
    },
  );

  it.each<[string, Record<string, unknown>, Record<string, unknown>?]>([
    ['request_expired', { validUntil: 1 }],
    ['asset_not_supported', { asset: 'NOPE' }],
    ['asset_not_supported', { asset: 'XBT' }],
    ['asset_not_supported', { asset: 'DASH', network: 'dash' }],
    ['network_not_supported', { network: 'ethereum' }],
    ['network_not_supported', { network: 'Bitcoin' }],
    ['invalid_address', { address: 'bc1-not-one' }],
    ['invalid_address', { address: 'b'.repeat(300) }],
    ['invalid_tag', { tag: '1' }],
    ['invalid_tag', { asset: 'XRP', network: 'ripple', address: RIPPLE, amount: '5', tag: 'seven' }],
    ['invalid_tag', { asset: 'XRP', network: 'ripple', address: RIPPLE, amount: '5', tag: '4294967296' }],
    ['invalid_request', { amount: '0.00000000001' }],
    ['amount_below_minimum', { amount: '0.0003' }, { minimum: '0.0004' }],
    ['amount_above_maximum', { amount: '100.1' }, { maximum: '100' }],
    ['fee_changed', { maxFee: '0.0001' }, { fee: '0.00015' }],
    ['insufficient_funds', { amount: '5.1' }, { available: '5' }],
    ['insufficient_funds_for_fee', { amount: '5' }],
  ])('is refused as %s for %j', async (code, change, extra = {}) => {
    const { body } = await client.withdraw(change);
    expect(body.error).toMatchObject({ code, ...extra });
    expect(await client.booked()).toEqual([]);
    expect(await client.balance()).toBe('5');
  });

  it.each([
    { amount: 1 },
    { amount: '-1' },
    { amount: '1e3' },
    { amount: '0' },
    { reference: '' },
    { reference: 'r'.repeat(101) },
    { maxFee: '-1' },
    { validUntil: '5' },
    { validUntil: null },
    { codes: { authenticator: '' } },
    { surprise: true },
  ])('is refused as invalid_request for %j', async (change) => {
    const { status, body } = await client.withdraw(change);
    expect({ status, code: body.error?.code }).toEqual({ status: 422, code: 'invalid_request' });
  });

  it('may have a tag where the network has one', async () => {
    const xrp = { asset: 'XRP', network: 'ripple', address: RIPPLE, amount: '5', tag: '4294967295' };
    expect((await client.withdraw(xrp)).body.withdrawal).toMatchObject({ tag: '4294967295' });
  });

  it('may have an amount that the balance covers exactly together with the fee', async () => {
    expect((await client.withdraw({ amount: '4.99985' })).status).toBe(201);
    expect(await client.balance()).toBe('0');
  });

  it.each<[string, number, Record<string, unknown>]>([
    ['account_on_hold', 423, { holdUntil: 4_000_000_000_000 }],
    ['email_unverified', 403, { emailVerified: false }],
    ['kyc_required', 403, { kyc: 'required' }],
    ['too_many_addresses', 409, { addressBookMax: 0 }],
    ['permission_missing', 403, { permissions: ['read'] }],
  ])(
    'is refused as %s with %d; its preview is refused, too, except for a missing permission',
    async (code, status, input) => {
      const other = await PartnerClient.open(sandbox, input);
      const refused = await other.withdraw();
      expect({ status: refused.status, code: refused.body.error?.code }).toEqual({ status, code });
      const preview = await other.call('POST', '/withdrawals/preview', other.order());
      expect(preview.status).toBe(code === 'permission_missing' ? 200 : status);
    },
  );

  it('is booked after the hold of the account has ended', async () => {
    const held = await PartnerClient.open(sandbox, { holdUntil: sandbox.clock.now.getTime() + 1000 });
    expect((await held.withdraw()).body.error?.holdUntil).toBe(sandbox.clock.now.getTime() + 1000);
    sandbox.advance(1000);
    expect((await held.withdraw()).status).toBe(201);
  });

  it('is rate limited by the bookings of the last minute, with a Retry-After header', async () => {
    const slow = await PartnerClient.open(sandbox, { withdrawalsPerMinute: 2 });
    await slow.withdraw({ reference: 'a' });
    sandbox.advance(20_000);
    await slow.withdraw({ reference: 'b' });
    const { status, headers } = await slow.withdraw({ reference: 'c' });
    expect({ status, retryAfter: headers.get('retry-after') }).toEqual({ status: 429, retryAfter: '40' });
    sandbox.advance(40_000);
    expect((await slow.withdraw({ reference: 'c' })).status).toBe(201);
  });

  it('saves its address, which stays usable when the address book is full', async () => {
    const small = await PartnerClient.open(sandbox, { addressBookMax: 1 });
    expect((await small.withdraw({ reference: 'a' })).status).toBe(201);
    expect((await small.withdraw({ reference: 'b' })).status).toBe(201);
    const other = { reference: 'c', address: '16UMkmhauCp7rRo89SciYkppzcTdfxrEFR' };
    expect(await small.errorOf(other)).toBe('too_many_addresses');
  });

  it("is refused to the account's own deposit address", async () => {
    const { body } = await sandbox.control('POST', `accounts/${client.account.accountId}/fund`, {
      asset: 'BTC',
      amount: '1',
    });
    const { status, body: response } = await client.withdraw({ address: (body as { address: string }).address });
    expect({ status, code: response.error?.code }).toEqual({ status: 409, code: 'funding_address_conflict' });
  });

  it('is checked in the documented order', async () => {
    const worst = await PartnerClient.open(sandbox, {
      holdUntil: 4_000_000_000_000,
      emailVerified: false,
      kyc: 'required',
      addressBookMax: 0,
      balances: {},
      verification: { mode: 'inline', methods: ['GOOGLE'] },
    });
    expect(await worst.errorOf({ validUntil: 1, asset: 'NOPE' })).toBe('request_expired');
    expect(await worst.errorOf({ asset: 'NOPE' })).toBe('account_on_hold');
    const unverified = await PartnerClient.open(sandbox, { emailVerified: false, kyc: 'required' });
    expect(await unverified.errorOf()).toBe('email_unverified');
    const poor = await PartnerClient.open(sandbox, {
      addressBookMax: 0,
      balances: {},
      verification: { mode: 'inline', methods: ['GOOGLE'] },
    });
    expect(await poor.errorOf({ maxFee: '0', amount: '0.0001' })).toBe('amount_below_minimum');
    expect(await poor.errorOf({ maxFee: '0' })).toBe('fee_changed');
    expect(await poor.errorOf()).toBe('insufficient_funds');
  });

  it('gets its status from the control API, and returns the money when it fails or is canceled', async () => {
    const manual = await PartnerClient.open(sandbox, { settle: 'manual' });
    const ids = await Promise.all(
      ['a', 'b', 'c'].map(async (reference) => (await manual.withdraw({ reference })).body.withdrawal?.id ?? ''),
    );
    sandbox.advance(3_600_000);
    const moves = ['failed', 'canceled', 'confirmed'];
    for (const [index, status] of moves.entries()) {
      await sandbox.control('POST', `withdrawals/${ids[index]}`, { status });
    }
    expect((await manual.list()).withdrawals.map(({ status }) => status)).toEqual([...moves].reverse());
    expect(await manual.balance()).toBe('4.98985');
  });
});

describe('the list of withdrawals of the partner API', () => {
  let sandbox: TestSandbox;
  let client: PartnerClient;

  beforeEach(async () => {
    sandbox = await TestSandbox.start();
    client = await PartnerClient.open(sandbox);
    for (const reference of ['a', 'b', 'c']) {
      await client.withdraw({ reference });
      sandbox.advance(1000);
    }
  });
  afterEach(() => sandbox.close());

  const references = async (query: string) => (await client.list(query)).withdrawals.map(({ reference }) => reference);

  it('comes in pages, newest first', async () => {
    const first = await client.list('?limit=2');
    expect(first.nextCursor).not.toBeNull();
    const second = await client.list(`?limit=2&cursor=${first.nextCursor}`);
    expect(second).toMatchObject({ withdrawals: [{ reference: 'a' }], nextCursor: null });
    expect(await references('')).toEqual(['c', 'b', 'a']);
  });

  it('is filtered by reference, id, asset and time', async () => {
    const [newest] = (await client.list()).withdrawals;
    expect(await references('?reference=b')).toEqual(['b']);
    expect(await references(`?id=${newest?.id}`)).toEqual(['c']);
    expect(await references('?reference=nobody')).toEqual([]);
    expect(await references('?asset=ETH')).toEqual([]);
    expect(await references(`?since=${sandbox.clock.now.getTime() - 2000}`)).toEqual(['c', 'b']);
  });

  it.each(['?limit=501', '?limit=0', '?limit=x', '?since=-1', '?cursor=none'])('refuses %s', async (query) => {
    const { status, body } = await client.call<{ error: { code: string } }>('GET', `/withdrawals${query}`);
    expect({ status, code: body.error.code }).toEqual({ status: 422, code: 'invalid_request' });
  });

  it('contains nothing of other accounts, which may use the same reference', async () => {
    const other = await PartnerClient.open(sandbox);
    expect((await other.list()).withdrawals).toEqual([]);
    expect((await other.withdraw({ reference: 'a' })).status).toBe(201);
  });
});
