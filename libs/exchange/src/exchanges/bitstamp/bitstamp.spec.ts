import { Amount } from '#money';
import type { ExchangeSession } from '../../port/exchange.port.js';
import { ContractBench } from '../../testing/contract/contract-bench.js';
import { json, type Answers } from '../../testing/contract/exchange-contract.js';
import { bitstamp } from './bitstamp.js';
import { bitstampContract } from './bitstamp-contract.js';

const subject = { declaration: bitstamp, contract: bitstampContract };
const ORDER_STATUS = 'POST /api/v2/order_status/';
const WITHDRAWALS = 'POST /api/v2/withdrawal-requests/';
const DEPOSITS = 'POST /api/v2/crypto-transactions/';
const XRP_ADDRESS = 'POST /api/v2/xrp_address/';
const SELL_MARKET = 'POST /api/v2/sell/market/btcusd/';

/** Runs a check with Bitstamp's contract. The contract suite checks what all exchanges have in common. */
const withSession = (
  check: (session: ExchangeSession, bench: ContractBench) => Promise<void>,
  answers: Answers = {},
): Promise<void> => {
  const { calls } = bitstampContract;
  const order = { parameters: { amount: 'decimal', client_order_id: 'text?' }, answer: json({ id: '7' }) } as const;
  const address = { parameters: { network: 'text?' }, answer: json({}) } as const;
  const more = { ...calls, [SELL_MARKET]: order, [XRP_ADDRESS]: address };
  return ContractBench.run({ ...subject, contract: { ...bitstampContract, calls: more } }, async (bench) => {
    bench.stub.answer(answers);
    await check(await bench.open(), bench);
  });
};

/** A partially filled order of ccxt 4.5.84 (`bitstamp.parseOrder`), with the fields of GetOrderStatus. */
const ORDER = {
  id: 468646390,
  client_order_id: 'ab12',
  status: 'Canceled',
  type: '0',
  market: 'ETH/USD',
  datetime: '2017-11-11 07:22:20.710567',
  amount_remaining: '0.77000000',
  transactions: [
    { eth: '0.23000000', fee: '0.09', tid: 25810126, usd: '69.8947000000000000', type: 2, price: '303.89000000' },
  ],
};

describe('an order at Bitstamp', () => {
  it('has the sums of the volumes, costs and fees of its transactions', () =>
    withSession(
      async ({ trading }) => {
        const request = { endpoint: 'buy', market: 'ethusd' };
        const order = await trading?.read({ exchangeId: '468646390', request, notBefore: new Date() });
        const amounts = ['0.23', '1', '69.8947', '303.89', '0.09'].map((text) => Amount.of(text));
        expect([
          ...[order?.executedVolume, order?.volume, order?.cost, order?.averagePrice, order?.fees?.[0]?.amount],
          ...[order?.fees?.[0]?.asset, order?.status, order?.openedAt, order?.description],
        ]).toEqual([
          ...amounts,
          ...[null, 'canceled', new Date('2017-11-11T07:22:20.710Z'), { pair: 'ETH/USD', side: 'buy', type: 'limit' }],
        ]);
      },
      { [ORDER_STATUS]: json(ORDER) },
    ));

  it.each([
    ['the amount of a transaction in the base currency', { transactions: [{ fee: '0.09', usd: '69.9' }] }],
    ['the market', { market: undefined }],
  ])('is unreadable when the response lacks %s', (_what, rest) =>
    withSession(
      async ({ trading }) => {
        const read = trading?.read({ exchangeId: '468646390', request: {}, notBefore: new Date() });
        await expect(read).rejects.toMatchObject({ kind: 'unavailable' });
      },
      { [ORDER_STATUS]: json({ ...ORDER, ...rest }) },
    ),
  );

  it('is open while its cancellation is pending', () =>
    withSession(
      async ({ trading }) => {
        const order = await trading?.read({ exchangeId: '468646390', request: {}, notBefore: new Date() });
        expect(order).toMatchObject({ status: 'open', rawStatus: 'Cancel pending' });
      },
      { [ORDER_STATUS]: json({ ...ORDER, status: 'Cancel pending' }) },
    ));

  it('is sent to the endpoint of its side and type', () =>
    withSession(async ({ trading }, { stub }) => {
      const prepared = trading?.prepare({
        exchangeSymbol: 'btcusd',
        side: 'sell',
        type: 'market',
        volume: Amount.of('0.5'),
        price: null,
        clientOrderId: 'ab12',
        submissionDeadline: new Date(),
      });
      if (prepared === undefined) throw new Error('no trading');
      await trading?.place(prepared, { beforeSend: () => undefined });
      expect(stub.calls(SELL_MARKET)[0]?.params).toEqual({ amount: '0.5', client_order_id: 'ab12' });
    }));
});

describe('a record of Bitstamp', () => {
  const record = {
    id: 3386432,
    type: 14,
    amount: '863.21332500',
    status: 2,
    currency: 'XRP',
    network: 'xrpl',
    address: 'rE1sdh25BJQ3qFwngiTBwaq3zPGGYcrjp1?dt=1455',
    datetime: '2018-01-05 15:27:55',
    transaction_id: '001743B03B0C79BA166A064AC0142917B050347B4CB23BA2AB4B91B3C5608F4C',
  };
  const day = { since: new Date('2018-01-05T00:00:00Z'), until: new Date('2018-01-05T23:59:59Z') };

  it('has the tag that is a part of its address', () =>
    withSession(
      async ({ history }) => {
        const page = await history?.page('withdrawal', day, null);
        expect(page?.records).toMatchObject([
          { address: 'rE1sdh25BJQ3qFwngiTBwaq3zPGGYcrjp1', tag: '1455', network: 'ripple', fee: null },
        ]);
      },
      { [WITHDRAWALS]: json([record]) },
    ));

  /** GetCryptoUserTransactions: the `amount` of a deposit is a JSON number. Ether has 18 decimals. */
  it('has every digit of an amount that is a JSON number', () =>
    withSession(
      async ({ history }) => {
        const page = await history?.page('deposit', day, null);
        expect(page?.records).toMatchObject([{ exchangeId: '1', amount: Amount.of('1234.123456789012345678') }]);
      },
      {
        [DEPOSITS]: {
          status: 200,
          body: `{"deposits": [{"id": 1, "network": "ethereum", "currency": "ETH", "txid": "0xe4", "amount": 1234.123456789012345678,
            "datetime": ${Date.parse('2018-01-05T15:27:55Z') / 1000}, "status": "FINALIZED", "pending_reason": null,
            "destinationAddress": "0x00000000219ab540356cBB839Cbe05303d7705Fa"}], "withdrawals": [], "ripple_iou_transactions": []}`,
        },
      },
    ));

  describe('of a withdrawal', () => {
    const withdrawn = (id: number, daysAgo: number): object => {
      const at = new Date(Date.now() - daysAgo * 86_400_000);
      return { ...record, id, datetime: at.toISOString().slice(0, 19).replace('T', ' ') };
    };
    const [recent, old] = [withdrawn(2, 100), withdrawn(1, 600)];
    const idsSince = (daysAgo: number, listed: { always: object[]; withoutPeriod: object[] }): Promise<string[]> => {
      let ids: string[] = [];
      const answers: Answers = {
        [WITHDRAWALS]: ({ params: { timedelta, limit, offset } }) => {
          const list = timedelta === undefined ? listed.withoutPeriod : listed.always;
          return json(list.slice(Number(offset), Number(offset) + Number(limit)));
        },
      };
      return withSession(async ({ history }) => {
        const since = new Date(Date.now() - daysAgo * 86_400_000);
        const page = await history?.page('withdrawal', { since, until: new Date() }, null);
        ids = page?.records.map(({ exchangeId }) => exchangeId) ?? [];
      }, answers).then(() => ids);
    };

    it('is listed although it is the first of the list that Bitstamp returns to a request without a period', async () => {
      expect(await idsSince(700, { always: [recent], withoutPeriod: [old, recent] })).toEqual(['2', '1']);
    });

    /** Bitstamp does not document the order of the list. */
    it('is listed although the page before ends with an older one, unless that page is sorted by time', async () => {
      const page = Array.from({ length: 1_000 }, (_, index) => withdrawn(index + 10, 10 + (index % 2)));
      const unsorted = [...page.slice(0, 999), withdrawn(9, 300), recent];
      expect(await idsSince(200, { always: unsorted, withoutPeriod: [] })).toContain('2');
    });

    /** The source of "the last day": github.com/kmadac/bitstamp-python-client, `withdrawal_requests`. */
    it('is listed although Bitstamp may show only the last day to a request without a period', async () => {
      expect(await idsSince(200, { always: [recent], withoutPeriod: [] })).toEqual(['2']);
      expect(await idsSince(700, { always: [recent], withoutPeriod: [] })).toEqual(['2']);
    });

    it('is listed once, although it is older than the longest period of a request', async () => {
      expect(await idsSince(700, { always: [recent], withoutPeriod: [recent, old] })).toEqual(['2', '1']);
    });
  });

  it('is left out when it is older or newer than the requested period', () =>
    withSession(
      async ({ history }) => {
        const others = [new Date('2018-01-04'), new Date('2018-01-06')];
        for (const since of others) {
          const page = await history?.page('withdrawal', { since, until: new Date(since.getTime() + 60_000) }, null);
          expect(page).toMatchObject({ records: [], unreadable: 0, nextCursor: null });
        }
      },
      { [WITHDRAWALS]: json([record]) },
    ));
});

describe('a deposit address of Bitstamp', () => {
  it.each(['destination_tag', 'memo_id', 'transfer_id'])('has the tag that is in %s', (field) =>
    withSession(
      async ({ deposits }) => {
        const [method] = (await deposits?.methods('XRP')) ?? [];
        if (method === undefined) throw new Error('no method');
        expect(await deposits?.addresses(method)).toEqual([
          { address: 'rE1sdh25BJQ3qFwngiTBwaq3zPGGYcrjp1', tag: '89473951', expiresAt: null },
        ]);
      },
      { [XRP_ADDRESS]: json({ address: 'rE1sdh25BJQ3qFwngiTBwaq3zPGGYcrjp1', [field]: 89473951 }) },
    ),
  );
});

describe('a refusal by Bitstamp', () => {
  const signature = { reason: 'Invalid signature', code: 'API0005' };

  /** "Possible authentication errors" of www.bitstamp.net/api lists codes; `status` is only in the samples. */
  it.each([{ status: 'error', ...signature }, signature])('has the code that is in %j', (refusal) =>
    withSession(
      async (session) => {
        const expected = { kind: 'credentials_invalid', rawCode: 'API0005', reason: 'invalid_signature' };
        await expect(session.balances()).rejects.toMatchObject(expected);
      },
      { 'POST /api/v2/account_balances/': json(refusal, 403) },
    ),
  );
});
