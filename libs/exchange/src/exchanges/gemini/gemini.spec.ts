import type { ExchangeSession } from '../../port/exchange.port.js';
import { ContractBench } from '../../testing/contract/contract-bench.js';
import { ManualClock } from '../../testing/manual-clock.js';
import { textsOf } from '../../testing/contract/contract-stub.js';
import { json, type Answer, type Answers, type Reply } from '../../testing/contract/exchange-contract.js';
import type { ReceivedCall } from '../../testing/stub-exchange.js';
import { gemini } from './gemini.js';
import { geminiContract } from './gemini-contract.js';
import { signGemini } from './gemini-signature.js';

const ASSETS = 'GET /v2/networks/{network}/assets';
const ORDER = 'POST /v1/order/status';
const TRANSFERS = 'POST /v2/transfers';
const ADDRESSES = 'POST /v1/addresses/{network}';

/** These tests cover what is special about Gemini. The contract suite checks the rest. */
const withSession = (
  check: (session: ExchangeSession, bench: ContractBench) => Promise<void>,
  answers: Answers = {},
): Promise<void> =>
  ContractBench.run({ declaration: gemini, contract: geminiContract }, async (bench) => {
    bench.stub.answer(answers);
    await check(await bench.open(), bench);
  });

/** Get Order Status, "Limit Buy Response". */
const order = {
  order_id: '123456789012345',
  client_order_id: 'ours',
  symbol: 'btcusd',
  side: 'buy',
  type: 'exchange limit',
  timestampms: 1494870642156,
  is_live: false,
  is_cancelled: false,
  executed_amount: '3',
  remaining_amount: '0',
  avg_execution_price: '400.00',
  original_amount: '3',
  price: '400.00',
  trades: [{ price: '400.00', amount: '3', fee_currency: 'USD', fee_amount: '1.2' }],
};
const sought = { clientOrderId: 'ours', request: {}, notBefore: new Date() };

describe('an order at Gemini', () => {
  it('is requested by all digits of its id, which are more than a JavaScript number keeps', () => {
    const params = { order_id: '18446744073709551615', include_trades: true };
    const call = { baseUrl: '', method: 'POST', path: '/v1/order/status', params, nonce: 1 };
    const { headers } = signGemini(call, { apiKey: 'key', apiSecret: 'secret' });
    expect(Buffer.from(headers?.['X-GEMINI-PAYLOAD'] ?? '', 'base64').toString()).toBe(
      '{"request":"/v1/order/status","nonce":1,"order_id":18446744073709551615,"include_trades":true}',
    );
  });

  it('is found in a response that is a list with one order', () =>
    withSession(
      async ({ trading }) => expect(await trading?.find(sought)).toMatchObject({ exchangeId: order.order_id }),
      { [ORDER]: json([order]) },
    ));

  it('is read without trades while nothing is executed', () => {
    const { trades: _trades, ...untraded } = {
      ...order,
      executed_amount: '0',
      avg_execution_price: '0.00',
      remaining_amount: '3',
      is_live: true,
    };
    return withSession(async ({ trading }) => expect((await trading?.find(sought))?.fees).toEqual([]), {
      [ORDER]: json(untraded),
    });
  });

  it('has unknown fees when a trade states none', () => {
    const { fee_amount: _, ...trade } = tradeWithFeeIn('BTC') as { fee_amount: string };
    return withSession(async ({ trading }) => expect((await trading?.find(sought))?.fees).toBeNull(), {
      [ORDER]: json({ ...order, trades: [tradeWithFeeIn('USD'), trade] }),
    });
  });

  it('has the fees of its trades in each asset', () => {
    const trades = ['USD', 'BTC'].map((each) => tradeWithFeeIn(each));
    return withSession(
      async ({ trading }) =>
        expect((await trading?.find(sought))?.fees?.map(({ asset }) => asset)).toEqual(['USD', 'BTC']),
      { [ORDER]: json({ ...order, trades }) },
    );
  });

  it.each([
    ['when several orders have our id', [order, { ...order, order_id: '7' }]],
    ['when its list of trades is empty', { ...order, trades: [] }],
    ['when it has no list of trades', { ...order, trades: undefined }],
  ])('is unreadable %s', (_what, body) =>
    withSession(async ({ trading }) => expect(trading?.find(sought)).rejects.toMatchObject({ kind: 'unavailable' }), {
      [ORDER]: json(body),
    }),
  );

  it('is refused without a price, because Gemini has no market orders', () =>
    withSession(async ({ trading }) => {
      const { instruction } = geminiContract.orders ?? {};
      if (instruction === undefined) throw new Error('no orders');
      const more = { price: null, clientOrderId: 'ours', submissionDeadline: new Date() };
      expect(() => trading?.prepare({ ...instruction, ...more })).toThrow(
        'only limit orders are possible at this exchange: send a price',
      );
      await Promise.resolve();
    }));
});

function tradeWithFeeIn(asset: string): object {
  return { price: '400.00', amount: '1.5', fee_currency: asset, fee_amount: '0.1' };
}

const BEGAN = Date.UTC(2026, 0, 1);
const transfer = (at: number): object => ({
  type: 'Deposit',
  status: 'Complete',
  timestampms: BEGAN + at,
  eid: at,
  currency: 'BTC',
  amount: '1',
  network: 'bitcoin',
});
const DIGITS = '605c5fa8bf99458d24d61e09941bc443ddc44839d9aaa508b14b296c0c8269b2';
const range = { since: new Date(BEGAN), until: new Date(BEGAN + 1_000) };

describe('the history of Gemini', () => {
  const entries = Array.from({ length: 60 }, (_, at) => transfer(at));

  it('is unusable if Gemini returns only the newest records of a longer list', () =>
    withSession(async ({ history }) => expect(history?.page('deposit', range, null)).rejects.toThrow('its oldest'), {
      [TRANSFERS]: (call) => json(entries.slice(-Number(textsOf(call)['limit_transfers']))),
    }));

  it('has no rewards and no transfers by Gemini itself', () =>
    withSession(
      async ({ history }) => {
        const { records } = (await history?.page('deposit', range, null)) ?? {};
        expect(records?.map(({ exchangeId }) => exchangeId)).toEqual(['2']);
      },
      { [TRANSFERS]: json([{ ...transfer(1), type: 'Reward' }, transfer(2), { ...transfer(3), type: 'AdminCredit' }]) },
    ));

  /** List Past Transfers: `advanceEid` is the "Deposit advance event ID" of a deposit that was advanced. */
  describe('of a deposit that Gemini advanced', () => {
    const advance = { ...transfer(1), status: 'Advanced' };
    const completion = { ...transfer(2), advanceEid: 1 };

    it.each([
      ['one pending record before the deposit is confirmed', [advance], 'pending'],
      ['the same record when the deposit is confirmed', [completion], 'ok'],
      ['the same record when Gemini lists the advance and the confirmed deposit', [advance, completion], 'ok'],
      ['the same record in any order of the list', [completion, advance], 'ok'],
    ])('has %s', (_what, list, status) =>
      withSession(
        async ({ history }) => {
          const { records } = (await history?.page('deposit', range, null)) ?? {};
          expect(records?.map((one) => [one.exchangeId, one.status])).toEqual([['1', status]]);
        },
        { [TRANSFERS]: json(list) },
      ),
    );

    it('is not left out beside the confirmed deposit of another advance', () =>
      withSession(
        async ({ history }) => {
          const { records } = (await history?.page('deposit', range, null)) ?? {};
          expect(records?.map((one) => [one.exchangeId, one.status])).toEqual([
            ['5', 'ok'],
            ['1', 'pending'],
          ]);
        },
        { [TRANSFERS]: json([advance, { ...completion, advanceEid: 5 }]) },
      ));

    it('has a record of its own for a deposit without an advance', () =>
      withSession(
        async ({ history }) => {
          const { records } = (await history?.page('deposit', range, null)) ?? {};
          expect(records?.map(({ exchangeId }) => exchangeId)).toEqual(['3', '2']);
        },
        {
          [TRANSFERS]: json([
            { ...transfer(2), advanceEid: null },
            { ...transfer(3), advanceEid: 0 },
          ]),
        },
      ));
  });

  /** List Past Transfers: `withdrawalId` is "optional", `eid` is "Transfer event id". */
  it('has the id of the event for a withdrawal without an id of its own', () =>
    withSession(
      async ({ history }) => {
        const { records } = (await history?.page('withdrawal', range, null)) ?? {};
        expect(records?.map(({ exchangeId }) => exchangeId)).toEqual(['3', 'own']);
      },
      {
        [TRANSFERS]: json([
          { ...transfer(2), type: 'Withdrawal', withdrawalId: 'own' },
          { ...transfer(3), type: 'Withdrawal' },
        ]),
      },
    ));

  it('states no fee for a transfer whose fee Gemini took in another currency', () =>
    withSession(
      async ({ history }) => {
        const { records } = (await history?.page('deposit', range, null)) ?? {};
        expect(records?.map(({ fee }) => fee)).toEqual([null]);
      },
      { [TRANSFERS]: json([{ ...transfer(2), feeAmount: '1', feeCurrency: 'ETH' }]) },
    ));

  /** List Past Transfers: the hash of the deposit of ETH in the sample response */
  it.each([
    ['with 0x for Ethereum, although Gemini leaves 0x out', 'ethereum', DIGITS, `0x${DIGITS}`],
    ['as Gemini states it for Bitcoin', 'bitcoin', DIGITS, DIGITS],
    ['as Gemini states it for Ethereum with 0x', 'ethereum', `0x${DIGITS}`, `0x${DIGITS}`],
    ['as Gemini states it for Ethereum if it does not have 64 digits', 'ethereum', 'aa', 'aa'],
  ])('has the hash %s', (_what, network, stated, hash) =>
    withSession(
      async ({ history }) =>
        expect(await history?.page('deposit', range, null)).toMatchObject({ records: [{ network, hash }] }),
      { [TRANSFERS]: json([{ ...transfer(2), network, txHash: stated }]) },
    ),
  );
});

describe('the calls to Gemini with limits of their own', () => {
  /** The rate in these tests. By default five calls a second are allowed, as Gemini recommends for private calls. */
  const PER_SECOND = 50;

  /** Makes calls. Returns the shortest interval between two of them, divided by the interval that PER_SECOND allows. */
  async function shortestGap(route: string, answer: Answer, calls: (own: ExchangeSession) => Promise<void>) {
    // Only the pauses between calls move this clock, so the intervals do not depend on the load of the machine.
    const clock = new ManualClock();
    const arrivals: number[] = [];
    const settings = { EXCHANGE_CALLS_PER_SECOND: String(PER_SECOND), EXCHANGE_CALLS_BURST: '1' };
    const arrive = (call: ReceivedCall): Reply => {
      arrivals.push(clock.monotonicMs());
      return typeof answer === 'function' ? answer(call) : answer;
    };
    await ContractBench.run(
      { declaration: gemini, contract: geminiContract },
      async ({ stub, open }) => {
        stub.answer({ [route]: arrive });
        await calls(await open());
      },
      settings,
      clock,
    );
    const gaps = arrivals.slice(1).map((at, index) => at - (arrivals[index] ?? at));
    return Math.round((Math.min(...gaps) * PER_SECOND) / 1_000);
  }

  /** developer.gemini.com/rate-limit: "1 request per 5 seconds per subaccount" for transfers. */
  it('read transfers at most once in five seconds', async () => {
    const entries = Array.from({ length: 60 }, (_, index) => transfer(index + 1));
    const oldest = (call: ReceivedCall): Reply => {
      const { timestamp, limit_transfers: limit } = textsOf(call);
      const later = entries.filter((one) => BEGAN + (one as { eid: number }).eid > Number(timestamp));
      return json(later.slice(0, Number(limit)));
    };
    const gap = await shortestGap(TRANSFERS, oldest, async ({ history }) => {
      await history?.page('deposit', range, null);
    });
    expect(gap).toBe(25);
  });

  /** …/rest/fund-management: "1 request per 2 seconds per subaccount" for addresses. */
  it('read addresses at most once in two seconds', async () => {
    const gap = await shortestGap(ADDRESSES, json([]), async ({ deposits }) => {
      const [method] = (await deposits?.methods('ETH')) ?? [];
      for (let reads = 0; reads < 3; reads++) if (method !== undefined) await deposits?.addresses(method);
    });
    expect(gap).toBe(10);
  });
});

describe('the deposit addresses of Gemini', () => {
  it('can be created', () =>
    withSession(async ({ deposits }) => {
      const [method] = (await deposits?.methods('USDC')) ?? [];
      expect(method?.canGenerateAddress).toBe(true);
      const address = method && (await deposits?.create?.(method));
      expect(address).toMatchObject({ address: '0x1f7a49d62d5256d0a80d31a07f57b578c3e40183', tag: null });
    }));

  it('are unavailable while a list of assets is unavailable', () =>
    withSession(
      async ({ deposits }) => expect(deposits?.methods('ETH')).rejects.toMatchObject({ kind: 'unavailable' }),
      { [ASSETS]: json({ result: 'error', reason: 'System', message: 'We are experiencing technical issues' }, 500) },
    ));
});
