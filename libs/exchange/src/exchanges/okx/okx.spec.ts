import { Amount } from '#money';
import type { HistoryRecord } from '../../port/exchange.port.js';
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
    ...{ actualDepBlkConfirm: '2', amt: '1', areaCodeFrom: '', ccy: 'USDT', chain: 'USDT-TRC20', depId: '88' },
    ...{ from: '', fromWdId: '', state: '2', to: 'TN4hGjVXMzy9b4N1aGizqs', ts: String(AT.getTime()), txId: 'fee2' },
  };
  /** The sample of a deposit in 2021. `from` has a value only if the deposit "comes from an internal transfer". */
  const internal = {
    ...{ amt: '0.01044408', txId: '1915737_3_0_0_asset', ccy: 'BTC', from: '13801825426', to: '', depId: '4703879' },
    ...{ ts: String(AT.getTime()), state: '2' },
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
      ...{ wdId: '67485', ccy: 'TON', chain: 'TON-TON', amt: '5', fee: '0.01', feeCcy: 'TON', clientId: 'ab12' },
      ...{ state: '2', txId: 'aa', ts: String(AT.getTime()), from: '', ...stated },
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
        ...{ exchangeSymbol: 'BTC-USDT', side: 'buy', type: 'limit', volume: Amount.of('2'), price: Amount.of('2.15') },
        ...{ clientOrderId: 'b15', submissionDeadline: new Date(Date.now() + 30_000) },
      });
      expect(await trading.place(prepared, { beforeSend: () => undefined })).toMatchObject({
        ...{ kind: 'rejected', rawCode: '51000', reason: 'account_mode' },
      });
    });
  });
});
