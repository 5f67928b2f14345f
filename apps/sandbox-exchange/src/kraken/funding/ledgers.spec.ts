import { TestSandbox, type OpenedAccount } from '../../../test/sandbox.js';

interface Entry {
  refid: string;
  time: number;
  type: string;
  asset: string;
  amount: string;
  fee: string;
}
interface Page {
  ledger: Record<string, Entry>;
  count?: number;
}

/** Source: https://docs.kraken.com/api-reference/account-data/get-ledgers-info */
describe('Ledgers of the sandbox exchange', () => {
  let sandbox: TestSandbox;
  let account: OpenedAccount;
  let nonce = 1;

  beforeEach(async () => {
    sandbox = await TestSandbox.start();
    account = await sandbox.open({ balances: { BTC: '5', USD: '1000' } });
    nonce = 1;
    sandbox.advance(1000);
  });
  afterEach(() => sandbox.close());

  const call = async (endpoint: string, params: Record<string, string> = {}) => {
    const response = await sandbox.call(account, endpoint, { nonce: String(nonce++), ...params });
    return (await response.json()) as { error: string[]; result: unknown };
  };
  const ledgers = async (params: Record<string, string> = {}) => (await call('Ledgers', params)).result as Page;
  const fund = (amount: string) =>
    sandbox.control('POST', `accounts/${account.accountId}/fund`, { asset: 'BTC', amount });
  const withdraw = async (): Promise<string> => {
    const key = account.withdrawalAddresses.find(({ method }) => method === 'Bitcoin')?.key ?? '';
    const { result } = await call('Withdraw', { asset: 'XBT', key, amount: '1' });
    return (result as { refid: string }).refid;
  };
  const amounts = ({ ledger }: Page) => Object.values(ledger).map(({ amount }) => Number(amount));

  it('lists movements newest first, with the fee beside the amount', async () => {
    const refid = await withdraw();
    const { ledger, count } = await ledgers({ asset: 'XBT' });
    expect(count).toBe(2);
    expect(Object.values(ledger)).toEqual([
      {
        refid,
        type: 'withdrawal',
        subtype: '',
        aclass: 'currency',
        asset: 'XXBT',
        time: sandbox.clock.now.getTime() / 1000,
        amount: '-0.9998500000',
        fee: '0.0001500000',
        balance: '4.0000000000',
      },
      expect.objectContaining({ refid: 'opening', type: 'transfer', amount: '5.0000000000' }),
    ]);
  });

  it('lists a failed withdrawal twice, the second time with opposite signs', async () => {
    const refid = await withdraw();
    await sandbox.control('POST', `withdrawals/${refid}`, { status: 'failed' });
    const { ledger } = await ledgers({ asset: 'XBT', type: 'withdrawal' });
    expect(Object.values(ledger).map((entry) => [entry.refid, Number(entry.amount), Number(entry.fee)])).toEqual([
      [refid, 0.99985, -0.00015],
      [refid, -0.99985, 0.00015],
    ]);
  });

  it('returns 50 entries on a page, with the number of all entries unless the request turns the count off', async () => {
    for (let index = 1; index <= 52; index++) await fund(`0.${index}1`);
    const [first, second] = [await ledgers({ type: 'deposit' }), await ledgers({ type: 'deposit', ofs: '50' })];
    expect([amounts(first).length, first.count]).toEqual([50, 52]);
    expect([amounts(second), second.count]).toEqual([[0.21, 0.11], 52]);
    expect(new Set([...Object.keys(first.ledger), ...Object.keys(second.ledger)]).size).toBe(52);
    expect(await ledgers({ type: 'deposit', without_count: 'true' })).not.toHaveProperty('count');
  });

  it('begins after `start` and ends with `end`, which are seconds or entry ids', async () => {
    for (const amount of ['0.1', '0.2', '0.3']) {
      sandbox.advance(1000);
      await fund(amount);
    }
    const ids = Object.keys((await ledgers({ type: 'deposit' })).ledger).reverse();
    const middle = String(sandbox.clock.now.getTime() / 1000 - 1);
    expect(amounts(await ledgers({ type: 'deposit', start: middle }))).toEqual([0.3]);
    expect(amounts(await ledgers({ type: 'deposit', end: middle }))).toEqual([0.2, 0.1]);
    expect(amounts(await ledgers({ type: 'deposit', start: ids[1] ?? '' }))).toEqual([0.3]);
    expect(amounts(await ledgers({ type: 'deposit', end: ids[1] ?? '' }))).toEqual([0.2, 0.1]);
    expect((await call('Ledgers', { start: 'nobody' })).error).toEqual(['EGeneral:Invalid arguments']);
  });

  it('lists several assets on request, and no entries of another asset class', async () => {
    expect(amounts(await ledgers({ asset: 'XBT,ZUSD' }))).toEqual([1000, 5]);
    expect(amounts(await ledgers({ asset: 'ZUSD' }))).toEqual([1000]);
    expect(await ledgers({ aclass: 'tokenized_asset' })).toEqual({ ledger: {}, count: 0 });
    expect((await call('Ledgers', { asset: 'NOPE' })).error).toEqual(['EQuery:Unknown asset']);
  });

  it('needs the permission to query the ledger', async () => {
    account = await sandbox.open({ permissions: ['query-funds', 'withdraw-funds'] });
    expect((await call('Ledgers')).error).toEqual(['EGeneral:Permission denied']);
  });

  it('supports the faults of histories except the changed fee', async () => {
    await withdraw();
    await sandbox.arm('Ledgers', 'history_lags', { delayMs: 500 });
    expect(await ledgers({ asset: 'XBT' })).toMatchObject({ count: 1 });
    await sandbox.arm('Ledgers', 'history_errors');
    expect((await call('Ledgers')).error).toEqual(['EGeneral:Internal error']);
    expect((await ledgers({ asset: 'XBT' })).count).toBe(2);
    const other = { endpoint: 'Ledgers', fault: 'history_other_fee' };
    expect((await sandbox.control('POST', 'faults', other)).status).toBe(422);
  });
});
