import { Amount } from '#money';
import { acceptsAddress } from '../../networks/address-rule.js';
import type {
  ExchangeSession,
  HistoryKind,
  HistoryRecord,
  PreparedWithdrawal,
  WithdrawalInstruction,
} from '../../port/exchange.port.js';
import type { ExchangeOrder } from '../../port/trading.port.js';
import { ContractBench } from '../../testing/contract/contract-bench.js';
import { json, type ExchangeContract, type Reply } from '../../testing/contract/exchange-contract.js';
import { binance } from './binance.js';
import { binanceContract } from './binance-contract.js';

const subject = { declaration: binance, contract: binanceContract };
const { withdrawals } = binanceContract;
if (withdrawals === undefined) throw new Error('the contract has no withdrawals');
const { route, instruction, tagged, networks } = withdrawals;
if (tagged === null) throw new Error('the contract has no withdrawal with a tag');

const HISTORY = 'GET /sapi/v1/capital/withdraw/history';
const DEPOSITS = 'GET /sapi/v1/capital/deposit/hisrec';
const TRAVEL_RULE = 'GET /sapi/v1/localentity/questionnaire-requirements';
const DAY_MS = 86_400_000;

type Check = (session: ExchangeSession, bench: ContractBench) => Promise<void>;

/** Runs a check with Binance's contract. The contract suite checks what Binance has in common with other exchanges. */
const withSession = (check: Check, calls: ExchangeContract['calls'] = {}): Promise<void> =>
  ContractBench.run(
    { ...subject, contract: { ...binanceContract, calls: { ...binanceContract.calls, ...calls } } },
    (bench) => bench.open().then((session) => check(session, bench)),
  );

async function prepare({ withdrawals: own }: ExchangeSession, one: WithdrawalInstruction): Promise<PreparedWithdrawal> {
  if (own === undefined) throw new Error('the session has no withdrawals');
  return own.prepare(one);
}

describe('the address of a withdrawal from Binance', () => {
  /** Expressions that Binance has listed, as recorded in github.com/decred/dcrdex. Each accepts other chains, too. */
  const listed = {
    BTC: '^[13][a-km-zA-HJ-NP-Z1-9]{25,34}$|^[(bc1q)|(bc1p)][0-9A-Za-z]{37,62}$',
    BCH: '^[1][a-km-zA-HJ-NP-Z1-9]{25,34}$|^[0-9a-z]{42,42}$',
    SOL: '^[1-9A-HJ-NP-Za-km-z]{32,44}$',
  };

  it.each<[coin: keyof typeof listed, address: string, isAccepted: boolean, why: string]>([
    ['SOL', 'DRpbCBMxVnDK7maPM5tGv6MvB3v1sRMC86PZ8okm21hy', true, 'an address of Solana'],
    ['SOL', 'TNVTdTSPRnXkDiagy7enti1KL75NU5AxC9', false, 'an address of Tron'],
    ['SOL', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', false, 'an address of Bitcoin'],
    ['BCH', 'qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a', true, 'an address of Bitcoin Cash'],
    ['BCH', 'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a', false, 'a form that Binance does not accept'],
    ['BCH', 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq', false, 'an address of Bitcoin'],
    ['BCH', '0xde709f2102306220921060314715629080e2fb77', false, 'an address of Ethereum'],
    ['BTC', 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq', true, 'an address of Bitcoin'],
    ['BTC', 'qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a', false, 'an address of Bitcoin Cash'],
  ])('of %s must match our rule and Binance’s rule (%s is accepted: %s, %s)', (coin, address, isAccepted) =>
    withSession(async (session, { stub }) => {
      const entry = { ...(networks.good as object), coin, network: coin, name: coin, addressRegex: listed[coin] };
      stub.answer(networks.listing([entry]));
      const [network] = (await session.withdrawals?.networks(coin)) ?? [];
      if (network === undefined) throw new Error('no network');
      expect(acceptsAddress(network, address)).toBe(isAccepted);
    }),
  );
});

describe('a withdrawal from Binance', () => {
  it('is paid from the spot wallet, and has no tag parameter if the address has no tag', () =>
    withSession(async (session, { stub }) => {
      const { request } = await prepare(session, instruction);
      await session.withdrawals?.submit(
        { request, clientRef: null, submissionDeadline: null },
        { beforeSend: () => undefined },
      );
      const [call] = stub.calls(route);
      expect(call?.params).toMatchObject({ walletType: '0', transactionFeeFlag: 'false', amount: '0.1005' });
      expect(call?.params).not.toHaveProperty('addressTag');
    }));

  it.each(['1&amount=9', 'a memo', '50%', 'é', '7#+='])('sends the tag %j as one parameter', (tag) =>
    withSession(async (session, { stub }) => {
      const prepared = await prepare(session, { ...tagged, tag });
      await session.withdrawals?.submit(prepared, { beforeSend: () => undefined });
      expect(stub.calls(route)[0]?.params).toMatchObject({ addressTag: tag, amount: '29' });
    }),
  );

  // Binance's page capital/withdraw (June 2026): "If withdrawTag=false, the network does not support memo/tag", -4106.
  it.each([
    [false, null],
    [true, 'destinationTag'],
    [undefined, 'destinationTag'],
  ])('has a tag only if `withdrawTag` is not false (%s)', (withdrawTag, tagType) =>
    withSession(async (session, { stub }) => {
      stub.answer(networks.listing([{ ...(networks.good as object), coin: 'XRP', network: 'XRP', withdrawTag }]));
      const [network] = (await session.withdrawals?.networks('XRP')) ?? [];
      expect(network?.tagType).toBe(tagType);
      const prepared = prepare(session, tagged);
      await (tagType === null
        ? expect(prepared).rejects.toMatchObject({ kind: 'refused', reason: 'tag_not_supported' })
        : expect(prepared).resolves.toMatchObject({ request: { addressTag: tagged.tag } }));
      expect(stub.calls(route)).toEqual([]);
    }),
  );

  const required = {
    [TRAVEL_RULE]: {
      parameters: { timestamp: 'integer', recvWindow: 'integer?', signature: 'text' } as const,
      answer: json({ questionnaireCountryCode: 'AE' }),
    },
  };

  it('is refused before it is sent when the account is under a travel rule, and the estimate reports the rule', () =>
    withSession(async (session, { stub }) => {
      const [network] = (await session.withdrawals?.networks('BTC')) ?? [];
      if (network === undefined) throw new Error('no network');
      const { asset, address, tag } = instruction;
      const quoted = { asset, network, address, tag, amount: Amount.of('1'), includeFee: true };
      const estimate = await session.withdrawals?.estimate(quoted);
      expect(estimate?.requirements.map(({ type }) => type)).toEqual(['travel_rule']);
      await expect(prepare(session, instruction)).rejects.toMatchObject({ kind: 'refused', reason: 'travel_rule' });
      expect(stub.calls(route)).toEqual([]);
    }, required));

  it.each([
    ['our reference', null, 7, 'withdrawOrderId'],
    ['its id', 'b6ae22b3aa844210a7041aee7589627c', 90, 'idList'],
  ] as const)('is searched by %s in the period that begins with the attempt', (_by, exchangeId, days, parameter) =>
    withSession(async (session, { stub }) => {
      const { request, clientRef } = await prepare(session, instruction);
      const periods = async (notBefore: Date): Promise<(number | null)[]> => {
        stub.forget();
        await session.withdrawals?.find({
          asset: 'BTC',
          network: 'bitcoin',
          request,
          clientRef,
          exchangeId,
          notBefore,
        });
        return stub.calls(HISTORY).map(({ params: { startTime, endTime, ...rest } }) => {
          expect(rest).toHaveProperty(parameter, exchangeId ?? clientRef);
          expect(Number(startTime)).toBe(notBefore.getTime());
          return endTime === undefined ? null : Number(endTime) - Number(startTime);
        });
      };
      const [ofOld] = await periods(new Date(Date.now() - 400 * DAY_MS));
      expect(ofOld).toBeLessThan(days * DAY_MS);
      expect(ofOld).toBeGreaterThan((days - 1) * DAY_MS);
      // A period without an end lasts until the present by the exchange's own clock.
      expect(await periods(new Date(Date.now() - DAY_MS))).toEqual([null]);
    }),
  );
});

const TRADES = 'GET /api/v3/myTrades';
const ORDER = 'GET /api/v3/order';

/** A trade of the order 7. */
const tradeOf = (id: number, qty: string, commission: string, commissionAsset = 'USDT'): object => ({
  symbol: 'BTCUSDT',
  id,
  orderId: 7,
  price: '100',
  qty,
  commission,
  commissionAsset,
  quoteQty: Amount.of(qty).times(Amount.of('100')).toString(),
});

describe('an order at Binance', () => {
  const read = ({ trading: own }: ExchangeSession): Promise<ExchangeOrder> => {
    if (own === undefined) throw new Error('the session has no orders');
    return own.read({ exchangeId: '7', request: { symbol: 'BTCUSDT' }, notBefore: new Date() });
  };
  const executed = (executedQty: string): Reply =>
    json({
      symbol: 'BTCUSDT',
      orderId: 7,
      clientOrderId: 'ours',
      origQty: '9',
      executedQty,
      status: 'PARTIALLY_FILLED',
      type: 'LIMIT',
      side: 'BUY',
      time: 1,
      updateTime: 2,
    });
  /** Runs a check while Binance has these trades. One response has at most 1000 of them, from `fromId` on. */
  const withTrades = (executedQty: string, trades: object[], check: (own: ExchangeSession) => Promise<void>) =>
    withSession(async (session, { stub }) => {
      const from = (entries: object[], id: number) => entries.filter((one) => (one as { id: number }).id >= id);
      stub.answer({
        [ORDER]: executed(executedQty),
        [TRADES]: ({ params: { fromId = '0' } }) => json(from(trades, Number(fromId)).slice(0, 1000)),
      });
      await check(session);
    });

  it('has the fees of its trades, without the fee of a trade that was made after the order was read', () =>
    withTrades('2', [tradeOf(5, '0.5', '0.1'), tradeOf(6, '1.5', '0.3'), tradeOf(7, '1', '0.2')], async (session) => {
      expect(await read(session)).toMatchObject({
        executedVolume: Amount.of('2'),
        cost: Amount.of('200'),
        averagePrice: Amount.of('100'),
        fees: [{ asset: 'USDT', amount: Amount.of('0.4') }],
      });
    }));

  it('has unknown fees when a trade states none', () => {
    const trades = [tradeOf(1, '0.5', '0.1'), { ...tradeOf(2, '0.5', ''), commissionAsset: undefined }];
    return withTrades('1', trades, async (session) => {
      expect((await read(session)).fees).toBeNull();
    });
  });

  it('has the fees of more trades than one page holds', () => {
    // The trades have equal volumes, so only their fees show that a page repeats or skips a trade.
    const fees = Array.from({ length: 2001 }, (_, index) => Amount.of(String(index)));
    const trades = fees.map((fee, index) => tradeOf(10 + 3 * index, '0.001', fee.toString()));
    return withTrades('2.001', trades, async (session) => {
      expect(await read(session)).toMatchObject({ fees: [{ amount: Amount.sum(fees) }], cost: Amount.of('200.1') });
    });
  });

  it('has all fees if they are in several assets, in the order of its trades', () => {
    const trades = [tradeOf(5, '1', '0', 'ETH'), tradeOf(6, '0.5', '0.01', 'BNB'), tradeOf(7, '0.3', '0.1', 'CAKE')];
    return withTrades('2', [...trades, tradeOf(8, '0.2', '0.02', 'BNB')], async (session) => {
      expect((await read(session))?.fees).toEqual([
        { asset: 'BNB', amount: Amount.of('0.03') },
        { asset: 'CAKE', amount: Amount.of('0.1') },
      ]);
    });
  });

  it.each([
    ['is missing', [tradeOf(5, '0.5', '0.1')]],
    ['has more than the remaining executed volume', [tradeOf(5, '0.5', '0.1'), tradeOf(6, '2', '0.1')]],
  ])('cannot be read while one of its trades %s', (_what, trades) =>
    withTrades('2', trades, async (session) => {
      await expect(read(session)).rejects.toMatchObject({ kind: 'unavailable', reason: 'unusable_answer' });
    }),
  );

  it.each([
    ['limit', Amount.of('2.15'), { type: 'LIMIT', price: '2.15', timeInForce: 'GTC' }],
    ['market', null, { type: 'MARKET' }],
  ] as const)('of the type %s has the documented parameters', (type, price, more) =>
    withSession(async ({ trading: own }) => {
      const { request } =
        own?.prepare({
          exchangeSymbol: 'BTCUSDT',
          side: 'sell',
          type,
          price,
          volume: Amount.of('2'),
          clientOrderId: 'ours',
          submissionDeadline: new Date(),
        }) ?? {};
      expect(request).toEqual({
        symbol: 'BTCUSDT',
        side: 'SELL',
        quantity: '2',
        newClientOrderId: 'ours',
        newOrderRespType: 'ACK',
        ...more,
      });
    }),
  );
});

describe('the history of an account at Binance', () => {
  const AT = new Date(1618394381000);
  const recordOf = async (kind: HistoryKind, record: object): Promise<HistoryRecord | undefined> => {
    let found: HistoryRecord | undefined;
    await withSession(async ({ history }, { stub }) => {
      stub.answer({ [kind === 'deposit' ? DEPOSITS : HISTORY]: json([record]) });
      found = (await history?.page(kind, { since: AT, until: AT }, null))?.records[0];
    });
    return found;
  };
  /** Binance's page capital/deposite-history */
  const deposit = {
    id: '769800519366885376',
    amount: '4500',
    coin: 'USDT',
    network: 'BSC',
    status: 1,
    addressTag: '',
    address: '0xc9c923c87347ca0f3451d6d308ce84f691b9f501',
    txId: '0xaad4654a3234aa6118af9b4b335f5ae8',
    insertTime: AT.getTime(),
    transferType: 0,
    confirmTimes: '15/15',
  };

  /**
   * Binance: "transferType: 1 for internal transfer". ccxt 4.5.84 (binance.js) and other libraries have recorded these
   * texts in `txId`.
   */
  it.each(['Internal transfer 51376627901', 'Off-chain transfer 244179616775'])(
    'has no hash for a transfer within Binance, whose txId is "%s"',
    async (txId) => {
      expect(await recordOf('deposit', deposit)).toMatchObject({ hash: deposit.txId });
      expect(await recordOf('deposit', { ...deposit, transferType: 1, txId })).toMatchObject({ hash: null });
    },
  );

  it.each(['BTC', 'SEGWITBTC'])('has Bitcoin as the network of a deposit over "%s"', async (network) =>
    expect(await recordOf('deposit', { ...deposit, coin: 'BTC', network })).toMatchObject({
      network: 'bitcoin',
      exchangeNetwork: network,
    }),
  );

  /**
   * Binance's page capital/deposite-history on `travelRuleStatus`: "0: travel rule not required OR info already
   * provided and funds ready to use, 1: travel rule required to provide deposit info". Older responses lack the field.
   */
  it.each([
    ['not under a travel rule', { travelRuleStatus: 0 }, { status: 'ok', rawStatus: '1' }],
    ['whose owner must first provide information', { travelRuleStatus: 1 }, { status: 'pending' }],
    ['with an unknown status of the travel rule', { travelRuleStatus: 9 }, { status: 'pending' }],
    ['of an older response', {}, { status: 'ok', rawStatus: '1' }],
    ['that was rejected', { status: 2, travelRuleStatus: 1 }, { status: 'failed', rawStatus: '2' }],
  ])('reports the status of a deposit %s', async (_which, fields, expected) =>
    expect(await recordOf('deposit', { ...deposit, ...fields })).toMatchObject(expected),
  );

  /** Binance's page capital/withdraw-history */
  const withdrawal = {
    id: 'b6ae22b3aa844210a7041aee7589627c',
    amount: '8.91000000',
    transactionFee: '0.004',
    coin: 'USDT',
    address: '0x94df8b352de7f46f64b01d3666bf6e936e44ce60',
    txId: '',
    applyTime: '2021-04-14 09:59:41',
    network: 'ETH',
    transferType: 0,
    status: 6,
  };

  /** binance-docs.github.io/apidocs/spot (2023) documents the statuses 1 and 5, which the present page lacks. */
  it.each([
    ['Email Sent', 0, 'pending'],
    ['Cancelled', 1, 'canceled'],
    ['Awaiting Approval', 2, 'pending'],
    ['Rejected', 3, 'failed'],
    ['Processing', 4, 'pending'],
    ['Failure', 5, 'failed'],
    ['Completed', 6, 'ok'],
    ['an unknown status', 7, 'pending'],
  ])('reports a withdrawal with the status "%s" (%d) as %s', async (_name, status, expected) =>
    expect(await recordOf('withdrawal', { ...withdrawal, status })).toMatchObject({ status: expected }),
  );
});
