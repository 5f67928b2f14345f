import { Amount } from '#money';
import type { HistoryRecord } from '../../port/exchange.port.js';
import type { PayingAccount } from '../../port/paying-account.js';
import { ContractBench } from '../../testing/contract/contract-bench.js';
import { json } from '../../testing/contract/exchange-contract.js';
import { okxContract } from './okx-contract.js';
import { okx } from './okx.js';

const DEPOSITS = 'GET /api/v5/asset/deposit-history';
const AT = new Date(1597026383085);

/** Reads the only deposit of an account. */
async function recordOf(deposit: object): Promise<HistoryRecord | undefined> {
  let found: HistoryRecord | undefined;
  await ContractBench.run({ declaration: okx, contract: okxContract }, async ({ open, stub }) => {
    stub.answer({ [DEPOSITS]: json({ code: '0', msg: '', data: [deposit] }) });
    found = (await (await open()).history?.page('deposit', { since: AT, until: AT }, null))?.records[0];
  });
  return found;
}

describe('a deposit at OKX', () => {
  /** #funding-account-rest-api-get-deposit-history */
  const onChain = {
    actualDepBlkConfirm: '2',
    amt: '1',
    areaCodeFrom: '',
    ccy: 'USDT',
    chain: 'USDT-TRC20',
    depId: '88',
    from: '',
    fromWdId: '',
    state: '2',
    to: 'TN4hGjVXMzy9b4N1aGizqs',
    ts: String(AT.getTime()),
    txId: 'fee2',
  };
  /** The sample of a deposit in 2021. `from` has a value only if the deposit "comes from an internal transfer". */
  const internal = {
    amt: '0.01044408',
    txId: '1915737_3_0_0_asset',
    ccy: 'BTC',
    from: '13801825426',
    to: '',
    depId: '4703879',
    ts: String(AT.getTime()),
    state: '2',
  };

  it('has a hash when it is on a chain, and none when it comes from another user of OKX', async () => {
    expect(await recordOf(onChain)).toMatchObject({ hash: 'fee2', address: onChain.to, network: 'tron', status: 'ok' });
    expect(await recordOf(internal)).toMatchObject({ hash: null, address: null, network: null, status: 'ok' });
  });

  /** #funding-account-rest-api-get-deposit-address documents these fields: each chain has one of them. */
  it.each([{ tag: '777' }, { memo: '777' }, { pmtId: '777' }, { addrEx: { comment: '777' } }])(
    'has the tag that is in %j',
    async (field) => {
      const others = { tag: '', memo: '', pmtId: '', ...field };
      expect(await recordOf({ ...onChain, ...others })).toMatchObject({ tag: '777' });
    },
  );
});

/** #funding-account-rest-api-get-withdrawal-history; "address:tag" is documented for `toAddr` of a withdrawal. */
describe('the search for a withdrawal at OKX', () => {
  // docs.ton.org, "Smart contract addresses": the forms of the address of one account.
  const [BOUNCEABLE, NOT_BOUNCEABLE, RAW] = [
    'EQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPrHF',
    'UQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPuwA',
    '0:ca6e321c7cce9ecedf0a8ca2492ec8592494aa5fb5ce0387dff96ef6af982a3e',
  ];
  const XRP = 'rEb8TK3gBgk5auZkwc6sHnwrGVJH8DuaLh';
  it.each([
    ['with the memo', `${BOUNCEABLE}:777`, { to: NOT_BOUNCEABLE, memo: '777' }],
    ['with the memo in the address', `${BOUNCEABLE}:777`, { to: `${NOT_BOUNCEABLE}:777` }],
    ['with the tag in the address and in its field', `${XRP}:777`, { to: `${XRP}:777`, tag: '777' }],
    ['in the raw form with the memo', `${RAW}:777`, { to: NOT_BOUNCEABLE, memo: '777' }],
    ['in the raw form without a memo', RAW, { to: NOT_BOUNCEABLE }],
    // Litecoin has two prefixes for one script. A record with our reference is certain in any form of the address.
    ['with another prefix', '3EktnHQD7RiAE6uzMj2ZifT9YgRrkSgzQX', { to: 'MLy36ApB4YZb2cBtTc1uYJhYsP2JkYokaf' }],
  ])('returns a certain record for another form of the address %s', async (_name, toAddr, stated) => {
    const record = {
      wdId: '67485',
      ccy: 'TON',
      chain: 'TON-TON',
      amt: '5',
      fee: '0.01',
      feeCcy: 'TON',
      clientId: 'ab12',
      state: '2',
      txId: 'aa',
      ts: String(AT.getTime()),
      from: '',
      ...stated,
    };
    await ContractBench.run({ declaration: okx, contract: okxContract }, async ({ open, stub }) => {
      stub.answer({ 'GET /api/v5/asset/withdrawal-history': json({ code: '0', msg: '', data: [record] }) });
      const request = { ccy: 'TON', amt: '5', toAddr };
      const sought = { asset: 'TON', network: 'ton', request, clientRef: 'ab12', exchangeId: null, notBefore: AT };
      expect(await (await open()).withdrawals?.find(sought)).toMatchObject([{ isCertain: true }]);
    });
  });
});

describe('an order at OKX', () => {
  /**
   * #order-book-trading-trade-post-place-order: "Multi-currency margin mode: Cross SPOT: cross". github.com/ccxt/ccxt/
   * pull/14922 has this response to an order with the mode `cash`.
   */
  it('is refused because of the account’s mode if OKX accepts only orders with cross margin', async () => {
    await ContractBench.run({ declaration: okx, contract: okxContract }, async ({ open, stub }) => {
      const { trading } = await open();
      if (trading === undefined) throw new Error('the session has no orders');
      const refusal = { clOrdId: 'b15', ordId: '', sCode: '51000', sMsg: 'Parameter tdMode  error ' };
      stub.answer({ 'POST /api/v5/trade/order': json({ code: '1', msg: '', data: [refusal] }) });
      const prepared = trading.prepare({
        exchangeSymbol: 'BTC-USDT',
        side: 'buy',
        type: 'limit',
        volume: Amount.of('2'),
        price: Amount.of('2.15'),
        clientOrderId: 'b15',
        submissionDeadline: new Date(Date.now() + 30_000),
      });
      expect(await trading.place(prepared, { beforeSend: () => undefined })).toMatchObject({
        kind: 'rejected',
        rawCode: '51000',
        reason: 'account_mode',
      });
    });
  });
});

/** #funding-account-rest-api-asset-bills-details, #funding-account-rest-api-get-balance */
describe('the funding account at OKX', () => {
  const BILLS = 'GET /api/v5/asset/bills';
  const FUNDING = 'GET /api/v5/asset/balances';
  const SINCE = new Date(1597026383085);
  const bill = (billId: string, ms: number, rest: object = {}) => ({
    billId,
    ccy: 'BTC',
    clientId: '',
    balChg: '2',
    bal: '12',
    type: '1',
    notes: '',
    ts: String(SINCE.getTime() + ms),
    ...rest,
  });
  const list = (data: unknown[]) => json({ code: '0', msg: '', data });

  async function read(bills: (params: Readonly<Record<string, string>>) => unknown[], balances: unknown[]) {
    let account: PayingAccount | undefined;
    let pages = 0;
    await ContractBench.run({ declaration: okx, contract: okxContract }, async ({ open, stub }) => {
      stub.answer({ [BILLS]: ({ params }) => list(bills(params)), [FUNDING]: list(balances) });
      account = await (await open()).withdrawals?.payingAccount?.('BTC', SINCE);
      pages = stub.calls(BILLS).length;
      expect(stub.calls().at(-1)?.route).toBe(FUNDING);
    });
    return { account, pages };
  }

  it('has its balance, what is frozen, and its changes with the balance after each', async () => {
    const held = [{ ccy: 'BTC', bal: '10.5', availBal: '10', frozenBal: '0.5' }];
    const withdrawal = bill('2', 1, { type: '2', balChg: '-1.5', bal: '10.5', clientId: 'ab12' });
    const { account } = await read(() => [withdrawal, bill('1', -1)], held);
    expect(account).toEqual({
      total: Amount.of('10.5'),
      held: Amount.of('0.5'),
      changes: [
        {
          id: '2',
          kind: 'withdrawal',
          clientRef: 'ab12',
          change: Amount.of('-1.5'),
          after: Amount.of('10.5'),
          at: new Date(SINCE.getTime() + 1),
        },
        {
          id: '1',
          kind: 'other',
          clientRef: null,
          change: Amount.of('2'),
          after: Amount.of('12'),
          at: new Date(SINCE.getTime() - 1),
        },
      ],
    });
  });

  it('is empty when OKX lists no balance of the asset', async () => {
    expect((await read(() => [], [])).account).toEqual({ total: Amount.zero, held: Amount.zero, changes: [] });
  });

  it('has the balance of the asset, and not that of another asset in the list', async () => {
    const balance = (ccy: string, bal: string) => ({ ccy, bal, availBal: bal, frozenBal: '0' });
    const { account } = await read(() => [], [balance('ETH', '7'), balance('BTC', '10.5'), balance('USDT', '8')]);
    expect(account).toMatchObject({ total: Amount.of('10.5'), held: Amount.zero });
  });

  it.each([
    ['2', 'withdrawal'],
    ['131', 'other'],
    ['221', 'unknown'],
    ['9999', 'unknown'],
  ])('has a change of the kind that the type %s means: %s', async (type, kind) => {
    const { account } = await read(() => [bill('1', -1, { type })], []);
    expect(account?.changes.map((change) => change.kind)).toEqual([kind]);
  });

  it('is read back to a change from before the moment, and each change once', async () => {
    // Two changes have the time at which the first page ends, and only one of them is on that page.
    const newest = Array.from({ length: 99 }, (_, index) => bill(String(300 - index), 200 - index));
    const [last, twin, old] = [bill('201', 101), bill('200', 101), bill('199', -5)];
    const { account, pages } = await read(
      ({ after }) => (after === undefined ? [...newest, last] : [last, twin, old]),
      [],
    );
    expect(pages).toBe(2);
    expect(account?.changes.map(({ id }) => id)).toEqual([...newest, last, twin, old].map(({ billId }) => billId));
  });

  it('is not read further than a change from before the moment', async () => {
    const page = Array.from({ length: 100 }, (_, index) => bill(String(300 - index), 50 - index));
    expect((await read(() => page, [])).pages).toBe(1);
  });
});
