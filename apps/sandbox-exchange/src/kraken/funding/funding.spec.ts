import { TestSandbox, type OpenedAccount } from '../../../test/sandbox.js';

describe("the sandbox exchange, called with ccxt's kraken class", () => {
  let sandbox: TestSandbox;
  let account: OpenedAccount;
  let client: ReturnType<TestSandbox['ccxt']>;
  const saved = (method: string) => {
    const address = account.withdrawalAddresses.find((one) => one.method === method);
    if (address === undefined) throw new Error(method);
    return address;
  };

  beforeEach(async () => {
    sandbox = await TestSandbox.start();
    account = await sandbox.open();
    client = sandbox.ccxt(account);
  });
  afterEach(() => sandbox.close());

  it('lists markets and balances that ccxt reads under the common codes, such as BTC', async () => {
    const balance = await client.fetchBalance();
    expect(balance['BTC']).toEqual({ free: 5, used: 0, total: 5 });
    expect(balance['USD']).toMatchObject({ total: 1000 });
    expect(client.markets).toHaveProperty('BTC/USD');
  });

  it('deducts the fee from the amount of a withdrawal, and the whole amount from the balance', async () => {
    const { key, address } = saved('Bitcoin');
    const info = await client.privatePostWithdrawInfo({ asset: 'XBT', key, amount: '1' });
    const { amount, fee } = info.result as { amount: string; fee: string };
    expect(Number(amount) + Number(fee)).toBe(1);
    const { id } = await client.withdraw('BTC', 1, address, undefined, { key, max_fee: fee });
    expect((await sandbox.ledger(account)).balances['BTC']).toEqual({ total: '4', held: '0', free: '4' });
    const [record] = await client.fetchWithdrawals('BTC');
    expect(record).toMatchObject({
      id,
      address,
      amount: Number(amount),
      fee: { cost: Number(fee) },
      status: 'pending',
    });
  });

  it('settles a withdrawal by itself: Initial, then Pending, then Success with a transaction id', async () => {
    await client.privatePostWithdraw({ asset: 'XBT', key: saved('Bitcoin').key, amount: '1' });
    const raw = async () => {
      const { result } = (await client.privatePostWithdrawStatus({})) as { result: Record<string, unknown>[] };
      return result[0];
    };
    expect(await raw()).toMatchObject({ status: 'Initial', txid: null, network: 'Bitcoin', key: saved('Bitcoin').key });
    sandbox.advance(1500);
    expect(await raw()).toMatchObject({ status: 'Pending', txid: null });
    sandbox.advance(1500);
    expect(await raw()).toMatchObject({ status: 'Success', txid: expect.stringMatching(/^[0-9a-f]{64}$/) as string });
  });

  it('returns the money when a withdrawal is canceled, and refuses to cancel it a second time', async () => {
    const { result } = await client.privatePostWithdraw({ asset: 'XBT', key: saved('Bitcoin').key, amount: '1' });
    const { refid } = result as { refid: string };
    expect((await client.privatePostWithdrawCancel({ asset: 'XBT', refid })).result).toBe(true);
    expect((await sandbox.ledger(account)).balances['BTC']?.total).toBe('5');
    const status = await client.privatePostWithdrawStatus({ asset: 'XBT' });
    expect(status.result).toMatchObject([{ status: 'Failure', 'status-prop': 'canceled' }]);
    expect((await client.privatePostWithdrawCancel({ asset: 'XBT', refid })).result).toBe(false);
  });

  it.each([
    ['EFunding:Unknown withdraw key', { key: 'nobody' }],
    ['EFunding:Unknown asset', { asset: 'NOPE' }],
    ['EFunding:Invalid amount', { amount: '0.0002' }],
    ['EFunding:Invalid amount', { amount: '1.12345678901' }],
    ['EFunding:Insufficient funds', { amount: '5.0000000001' }],
    ['EFunding:Max fee exceeded', { max_fee: '0.00001' }],
    ['EFunding:Invalid address', { address: '1BoatSLRHtKNngkdXEeobR76b53LETtpyT' }],
    ['EGeneral:Invalid arguments', { amount: 'NaN' }],
    ['EGeneral:Invalid arguments', { amount: '' }],
    ['EGeneral:Invalid arguments', { amount: '-1' }],
  ])('responds with %s to a withdrawal with %j and moves nothing', async (error, change) => {
    const request = { asset: 'XBT', key: saved('Bitcoin').key, amount: '1', ...change };
    await expect(client.privatePostWithdraw(request)).rejects.toThrow(error);
    expect((await sandbox.ledger(account)).withdrawals).toEqual([]);
    expect((await sandbox.ledger(account)).balances['BTC']?.total).toBe('5');
  });

  it('pages through withdrawals with a cursor, newest first', async () => {
    const refids: string[] = [];
    for (let index = 0; index < 3; index += 1) {
      const { result } = await client.privatePostWithdraw({ asset: 'XBT', key: saved('Bitcoin').key, amount: '1' });
      refids.unshift((result as { refid: string }).refid);
      sandbox.advance(1000);
    }
    type Page = { withdrawals: { refid: string }[]; next_cursor: string | null };
    const first = (await client.privatePostWithdrawStatus({ cursor: 'true', limit: 2 })).result as Page;
    const second = (await client.privatePostWithdrawStatus({ cursor: first.next_cursor, limit: 2 })).result as Page;
    expect([...first.withdrawals, ...second.withdrawals].map(({ refid }) => refid)).toEqual(refids);
    expect(second.next_cursor).toBeNull();
    const since = sandbox.clock.now.getTime() / 1000 - 1.5;
    const recent = (await client.privatePostWithdrawStatus({ start: since })).result as { refid: string }[];
    expect(recent.map(({ refid }) => refid)).toEqual(refids.slice(0, 1));
  });

  it('generates a deposit address only on request, and books what arrives there', async () => {
    const method = 'Bitcoin';
    expect((await client.privatePostDepositAddresses({ asset: 'XBT', method })).result).toEqual([]);
    const created = await client.privatePostDepositAddresses({ asset: 'XBT', method, new: 'true' });
    const [{ address }] = created.result as [{ address: string }];
    expect((await client.privatePostDepositAddresses({ asset: 'XBT', method })).result).toMatchObject([{ address }]);
    const { status } = await sandbox.control('POST', `accounts/${account.accountId}/fund`, {
      asset: 'BTC',
      amount: '2',
    });
    expect(status).toBe(200);
    const deposits = await client.fetchDeposits('BTC');
    expect(deposits).toMatchObject([{ address, amount: 2, status: 'ok' }]);
    expect((await client.fetchBalance())['BTC']).toMatchObject({ total: 7 });
  });

  it('shows a withdrawal in the ledger with the balance after it', async () => {
    await client.privatePostWithdraw({ asset: 'XETH', key: saved('Ether').key, amount: '4' });
    const entries = await client.fetchLedger('ETH');
    expect(entries.map(({ type, direction, after }) => ({ type, direction, after }))).toEqual(
      expect.arrayContaining([expect.objectContaining({ direction: 'out', after: 6 })]),
    );
  });

  it('lists several withdrawal methods of an asset, and saved addresses with their keys', async () => {
    const methods = await client.privatePostWithdrawMethods({ asset: 'USDT' });
    expect((methods.result as { network: string }[]).length).toBeGreaterThan(1);
    const addresses = await client.privatePostWithdrawAddresses({ asset: 'XBT', method: 'Bitcoin' });
    const { key, address } = saved('Bitcoin');
    expect(addresses.result).toEqual([{ address, asset: 'XBT', method: 'Bitcoin', key, verified: true }]);
  });

  it('shows the permissions and restrictions of a key', async () => {
    const { result } = await client.privatePostGetApiKeyInfo();
    expect(result).toMatchObject({ apiKey: account.apiKey, ipAllowlist: [], validUntil: '0' });
    expect((result as { permissions: string[] }).permissions).toContain('withdraw-funds');
  });
});
