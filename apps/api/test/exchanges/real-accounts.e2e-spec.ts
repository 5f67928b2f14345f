import { until } from '#platform/testing';
import { BALANCE_EX, balanceSituations, held } from '../support/account-situations.js';
import { refusalOf } from '../support/causeway-client.js';
import { LiveExchanges, type ExchangeId, type LiveAnswers, type ShownBalance } from '../support/live-exchanges.js';
import { orderSituations } from '../support/order-situations.js';

const BITCOIN = 'bc1pjgv68y0p8ln590tkgc6p2wmqxwqun9y79d6sle83cx0kwwwcttcqd3xcrp';
const EVM = '0xD316E95Fd9E8E237Cb11f8200Babbc5D8D177BA4';
const TOKEN = '0x924fa68a0fc644485b8df8abfa0a41c2e7744444';
const UNUSABLE = { status: 502, code: 'TRADING_PROVIDER_ERROR', result: { reason: 'unusable_answer' } };

const kraken = (result: unknown, error: string[] = []) => ({ error, result });
const bitget = (data: unknown) => ({ code: '00000', msg: 'success', data });

/** A coin of Binance on one network. @param rest other fields of the network */
const coin = (asset: string, network: string, rest: object = {}): LiveAnswers => ({
  'GET /sapi/v1/capital/config/getall': [
    {
      coin: asset,
      depositAllEnable: true,
      withdrawAllEnable: true,
      networkList: [
        {
          network,
          coin: asset,
          name: network,
          withdrawIntegerMultiple: '0.00000001',
          depositEnable: true,
          withdrawEnable: true,
          addressRegex: '',
          withdrawFee: '0.01',
          withdrawMin: '0.02',
          withdrawMax: '999',
          contractAddress: '',
          withdrawTag: false,
          ...rest,
        },
      ],
    },
  ],
});

const BYBIT_KEY = {
  readOnly: 0,
  ips: ['*'],
  userID: 1,
  expiredAt: '1970-01-01T00:00:00Z',
  createdAt: '2025-10-13T03:20:45Z',
  permissions: { Wallet: ['Withdraw'] },
};

const addressOf = (chain: string, addressDeposit: string) => ({ chain, addressDeposit, tagDeposit: '' });

/** Responses with which Kraken pays 0.1 BTC. */
const payable: LiveAnswers = {
  [BALANCE_EX]: kraken({ XXBT: { balance: '0.0000000000' }, 'XBT.F': { balance: '0.5', hold_trade: '0' } }),
  'POST /0/private/WithdrawAddresses': kraken([
    { address: BITCOIN, asset: 'XBT', method: 'Bitcoin', key: 'w', verified: true },
  ]),
  'POST /0/private/WithdrawInfo': kraken({ method: 'Bitcoin', limit: '0.4999', amount: '0.09985', fee: '0.00015' }),
};
const order = { asset: 'BTC', network: 'bitcoin', amount: '0.1', includeFee: true, address: BITCOIN };

const shown = ({ exact, amount, elsewhere = [] }: ShownBalance): string[] => [
  exact?.amount ?? String(amount),
  ...elsewhere.map((one) => `${one.account} ${one.kind} ${one.amount}`),
];

/** Situations of accounts at real exchanges, over HTTP: a live project, and servers in place of the exchanges. */
describe('a real account', () => {
  let exchanges: LiveExchanges;
  beforeAll(async () => {
    exchanges = await LiveExchanges.start();
  });
  afterAll(() => exchanges.close());

  it.each(balanceSituations.map((one) => [one.exchange, one.name, one] as const))(
    'at %s shows its other assets beside %s',
    async (exchange, _name, { answers, shown: expected, absent = [] }) => {
      const { causeway } = await exchanges.wallet(exchange, answers);
      const { balances } = await causeway.getWithdrawalBalance();
      const found = new Map(balances.map((each) => [each.asset, shown(each)]));
      const sought = Object.keys(expected).map((asset) => [asset, found.get(asset)]);
      expect(Object.fromEntries(sought)).toEqual(expected);
      expect(absent.filter((asset) => found.has(asset))).toEqual([]);
      for (const { free, used, total } of Object.values((await causeway.getWallet()).balances)) {
        expect([free >= 0, used >= 0, total >= 0]).toEqual([true, true, true]);
      }
    },
  );

  it.each<[ExchangeId, string, object]>([
    [
      ...(['binance', 'GET /sapi/v1/sub-account/spotSummary'] as const),
      { code: -12_022, msg: 'This endpoint is allowed to request from sub account only' },
    ],
    [
      ...(['okx', 'GET /api/v5/users/subaccount/list'] as const),
      { code: '59500', msg: 'Only the API key of the main account has permission.', data: [] },
    ],
    ['bybit', 'GET /v5/user/query-sub-members', { retCode: 10_005, retMsg: 'Permission denied', result: {} }],
    ['bitget', 'GET /api/v2/spot/account/subaccount-assets', { code: '40014', msg: 'Incorrect permissions' }],
  ])(
    'at %s shows its sub-accounts in no sum, and loses only them with another key',
    async (exchange, route, refusal) => {
      const read = async (answers: LiveAnswers) => {
        const { causeway } = await exchanges.wallet(exchange, answers);
        const { balances, unread } = await causeway.getWithdrawalBalance();
        const elsewhere = balances.flatMap((each) => each.elsewhere ?? []);
        const isOfSub = ({ account }: { account: string }) => account.startsWith('sub-account ');
        return {
          subs: elsewhere.filter(isOfSub),
          rest: elsewhere.filter((each) => !isOfSub(each)),
          unread,
          amounts: balances.map(({ asset, amount }) => [asset, amount]).filter(([, amount]) => amount !== 0),
          held: Object.entries((await causeway.getWallet()).balances).filter(([, { total }]) => total !== 0),
        };
      };
      const main = await read({});
      const other = await read({ [route]: refusal });
      expect([main.subs.length > 0, other.subs]).toEqual([true, []]);
      expect([other.rest, other.amounts, other.held]).toEqual([main.rest, main.amounts, main.held]);
      expect(other.unread?.filter(({ account }) => account === 'sub-accounts')).toHaveLength(1);
    },
  );

  it.each(orderSituations)('shows an order %s, at %s', async (_name, exchange, situation, expected) => {
    const read = exchanges.order(exchange, situation);
    if (expected === null) expect(await refusalOf(read)).toMatchObject(UNUSABLE);
    else expect(await read).toMatchObject(expected);
  });

  it('at Kraken withdraws what earns automatically, and keeps the id that stands beside a warning', async () => {
    const { causeway } = await exchanges.wallet('kraken', {
      ...payable,
      'POST /0/private/Withdraw': kraken({ refid: 'FTQcuak-V6Za8qrWnhzTx67yYHz8Tg' }, ['WFunding:Delayed']),
    });
    const { id: quoteId } = await causeway.createQuote({ ...order, address: BITCOIN.toUpperCase() });
    const { result } = await causeway.executeQuote({ quoteId });
    expect(await causeway.getTransaction({ transactionId: result.transactionId })).toMatchObject({
      exchangeTransactionId: 'FTQcuak-V6Za8qrWnhzTx67yYHz8Tg',
      addressTo: BITCOIN,
      status: 'pending',
    });
    const mixed = refusalOf(causeway.createQuote({ ...order, address: `BC1${BITCOIN.slice(3)}` }));
    expect((await mixed).code).toBe('WITHDRAWAL_INVALID_ADDRESS');
    expect(exchanges.app.logLines.some((line) => line.includes('WFunding:Delayed'))).toBe(true);
  });

  it.each(['\u5e01\u5b89\u4eba\u751f', "FTX Users' Debt", 'usdt', 'A/B', '$WIF'])(
    'is quoted, shown fees and given an address for an asset that is listed as %s',
    async (asset) => {
      const { causeway } = await exchanges.wallet('binance', {
        ...held('binance', [asset, '5']),
        ...coin(asset, 'BSC', { contractAddress: TOKEN }),
        'GET /sapi/v1/capital/deposit/address': { address: EVM, coin: asset, tag: '', url: '' },
      });
      const quoted = await causeway.createQuote({ asset, network: 'bsc', amount: '1', address: EVM });
      const fees = await causeway.getWithdrawalFees({ asset });
      const address = await causeway.getDepositAddress({ asset, network: 'bsc' });
      expect([quoted.asset, fees.asset, address.asset]).toEqual([asset, asset, asset]);
    },
  );

  it('is shown no fees for a listed asset that cannot be withdrawn', async () => {
    const chain = {
      chain: 'ERC20',
      needTag: 'false',
      withdrawable: 'true',
      rechargeable: 'true',
      withdrawFee: '1',
      extraWithdrawFee: '0',
      minDepositAmount: '1',
      minWithdrawAmount: '2',
      withdrawMinScale: '6',
    };
    const asset = 'Jade Protocol';
    const { causeway } = await exchanges.wallet('bitget', {
      'GET /api/v2/spot/public/coins': bitget([{ coin: asset, chains: [{ ...chain, contractAddress: TOKEN }] }]),
    });
    expect(await causeway.getWithdrawalFees({ asset })).toMatchObject({ asset, networks: [] });
  });

  it.each<[ExchangeId, string]>([
    ['binance', 'TRY'],
    ['okx', 'USD'],
    ['bybit', 'EUR'],
    ['kucoin', 'VNX'],
    ['coinbase', 'GBP'],
  ])('at %s is shown no fees for %s, which it holds but the exchange does not list', async (exchange, asset) => {
    const { causeway } = await exchanges.wallet(exchange, held(exchange, [asset, '5']));
    await causeway.getWithdrawalBalance();
    for (const named of [asset, asset.toLowerCase()])
      expect(await causeway.getWithdrawalFees({ asset: named })).toMatchObject({ asset, networks: [] });
    expect(await refusalOf(causeway.getWithdrawalFees({ asset: `${asset}X` }))).toMatchObject({ status: 404 });
  });

  it.each([
    ['TON', 'TON', 'ton', 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N'],
    ['ATOM', 'ATOM', 'cosmos', 'cosmos1fl48vsnmsdzcv85q5d2q4z5ajdha8yu34mf0eh'],
    ['HBAR', 'HBAR', 'hedera', '0.0.12345'],
  ])('at Binance is quoted %s without a tag where the network takes none', async (asset, name, network, address) => {
    const { causeway } = await exchanges.wallet('binance', { ...held('binance', [asset, '5']), ...coin(asset, name) });
    const of = { asset, network, address, amount: '1' };
    expect((await refusalOf(causeway.createQuote({ ...of, tag: '7' }))).message).toContain('have no tag');
    expect(await causeway.createQuote({ ...of, tag: null })).toMatchObject({ tag: null });
  });

  it.each([
    ['XLM', 'stellar', 'GA5XIGA5C7QTPTWXQHY6MCJRMTRZDOSHR6EFIBNDQTCQHG262N4GGKTM', 28],
    ['HBAR', 'hedera', '0.0.12345', 100],
    ['STX', 'stacks', 'SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ7', 34],
  ] as const)('is quoted %s with a memo up to the bytes of the network %s', async (asset, network, address, bytes) => {
    const listed = coin(asset, asset, { withdrawTag: true });
    const { causeway } = await exchanges.wallet('binance', { ...held('binance', [asset, '5']), ...listed });
    const quote = (tag: string) => causeway.createQuote({ asset, network, address, amount: '1', tag });
    for (const tag of ['a'.repeat(bytes), '\u00e9'.repeat(bytes / 2)]) expect(await quote(tag)).toMatchObject({ tag });
    for (const tag of ['a'.repeat(bytes + 1), '\u00e9'.repeat(bytes / 2 + 1)])
      expect((await refusalOf(quote(tag))).code).toBe('GENERIC_VALIDATION_ERROR');
  });

  it('at Bybit under a travel rule sees the rule in the quote, and sends no withdrawal', async () => {
    let sent = 0;
    const { causeway } = await exchanges.wallet('bybit', {
      ...held('bybit', ['USDT', '100']),
      'GET /v5/user/query-api': { retCode: 0, retMsg: '', result: { ...BYBIT_KEY, kycRegion: 'KOR' } },
      'POST /v5/asset/withdraw/create': () => ({ retCode: 0, retMsg: '', result: { id: String(++sent) } }),
    });
    const address = '0x99ced129603abc771c0dabe935c326ff6c86645d';
    const quoted = await causeway.createQuote({ asset: 'USDT', network: 'ethereum', amount: '24', address });
    expect(quoted.requirements.map(({ type }) => type)).toContain('travel_rule');
    expect((await refusalOf(causeway.executeQuote({ quoteId: quoted.id }))).result).toMatchObject({
      reason: 'travel_rule',
    });
    expect(sent).toBe(0);
  });

  it.each<[ExchangeId, string, object, string]>([
    [
      'bybit',
      'GET /v5/asset/deposit/query-address',
      { retCode: 0, result: { chains: [addressOf('ETH', ''), addressOf('BTC', BITCOIN)] } },
      'BTC',
    ],
    [
      'okx',
      'GET /api/v5/asset/deposit-address',
      {
        code: '0',
        msg: '',
        data: [
          { chain: 'BTC-OKC', addr: null },
          { chain: 'BTC-Bitcoin', addr: BITCOIN },
        ],
      },
      'BTC',
    ],
  ])('at %s has a deposit address beside the empty one of another network', async (exchange, route, answer, asset) => {
    const { causeway } = await exchanges.wallet(exchange, { [route]: answer });
    expect(await causeway.getDepositAddress({ asset, network: 'bitcoin' })).toMatchObject({ address: BITCOIN });
  });

  it('at Binance has an address in capitals in lower case, and a tag that the exchange sends as a number', async () => {
    const at = (answer: object) => ({ 'GET /sapi/v1/capital/deposit/address': answer });
    const bitcoin = await exchanges.wallet('binance', at({ address: BITCOIN.toUpperCase(), coin: 'BTC', tag: '' }));
    const shownIn = bitcoin.causeway.getDepositAddress({ asset: 'BTC', network: 'bitcoin' });
    expect(await shownIn).toMatchObject({ address: BITCOIN, tag: null });
    const address = 'rLHzPsX6oXkzU2qL12kHCH8G8cnZv1rBJh';
    const ripple = await exchanges.wallet('binance', {
      ...coin('XRP', 'XRP', { withdrawTag: true }),
      ...at({ address, coin: 'XRP', tag: 101_286_922 }),
    });
    const found = await ripple.causeway.getDepositAddress({ asset: 'XRP', network: 'ripple' });
    expect(found).toMatchObject({ address, tag: '101286922' });
  });

  it('at Gate is asked to wait while the exchange generates its deposit address', async () => {
    const text = 'New address is being generated for you, please wait a moment and refresh this page. ';
    const chains = [{ name: 'BTC', addr: '', deposit_disabled: false }];
    const { causeway } = await exchanges.wallet('gate', {
      'GET /api/v4/spot/currencies': [{ currency: 'BTC', delisted: false, chains }],
      'GET /api/v4/wallet/deposit_address': { currency: 'BTC', address: text, multichain_addresses: [] },
    });
    const refusal = await refusalOf(causeway.getDepositAddress({ asset: 'BTC', network: 'bitcoin' }));
    expect(refusal).toMatchObject({
      status: 404,
      code: 'DEPOSIT_ADDRESS_UNAVAILABLE',
      result: { reason: 'address_pending' },
      message: expect.stringContaining('repeat the request in a minute') as string,
    });
  });

  it('is read again when the exchange resets a connection that was used before', async () => {
    const used = new Set<number>();
    const { causeway } = await exchanges.wallet('bitstamp', {
      'POST /api/v2/account_balances/': (call: { connection: number }, response: { socket: { destroy(): void } }) => {
        const isUsed = used.has(call.connection);
        used.add(call.connection);
        if (isUsed) response.socket.destroy();
        return isUsed ? undefined : [{ currency: 'btc', available: '1', reserved: '0' }];
      },
    });
    for (let reads = 0; reads < 3; reads++)
      expect((await causeway.getWithdrawalBalance()).balances).toMatchObject([{ asset: 'BTC', amount: 1 }]);
  });
});

/** Apart from the others, because the worker reads the whole history of every wallet. */
describe('the history of a real account', () => {
  let exchanges: LiveExchanges;
  beforeAll(async () => {
    exchanges = await LiveExchanges.start({ worker: true });
  });
  afterAll(() => exchanges.close());

  it.each<[ExchangeId, string, (at: number) => object, object]>([
    ['gate', 'GET /api/v4/wallet/withdrawals', (at) => [gateWithdrawal(at, 'INVALID')], { status: 'failed' }],
    [
      'bitget',
      'GET /api/v2/spot/wallet/withdrawal-records',
      (at) => bitget([bitgetWithdrawal(at)]),
      { status: 'failed' },
    ],
    ['bybit', 'GET /v5/asset/deposit/query-record', (at) => bybitDeposit(at), { status: 'ok' }],
  ])('at %s has a record that has ended, with its time, from %s', async (exchange, route, records, expected) => {
    const at = Math.floor(exchanges.app.clock.now().getTime() / 1000) + 500;
    const { causeway, walletId } = await exchanges.wallet(exchange, { [route]: records(at) });
    let found: object[] = [];
    await until('the record is listed', async () => {
      found = (await causeway.listTransactions({ walletId })).transactions;
      return found.length > 0;
    });
    expect(found).toMatchObject([{ ...expected, timestamp: at * 1000 }]);
  });
});

const gateWithdrawal = (at: number, status: string) => ({
  id: 'w1',
  currency: 'USDT',
  address: 'a',
  amount: '9',
  fee: '2',
  txid: '',
  chain: 'TRX',
  memo: '',
  timestamp: `${at}.000`,
  status,
  withdraw_order_id: '',
  block_number: '0',
});
const bitgetWithdrawal = (at: number) => ({
  orderId: '1',
  tradeId: 'a',
  coin: 'BTC',
  size: '1',
  status: 'reject',
  cTime: String(at * 1000),
  tag: '',
  chain: 'LIGHTNING',
  toAddress: 'a',
  dest: 'on_chain',
  fee: '-0.1',
  clientOid: '',
  type: 'withdraw',
});
/** Bybit documents milliseconds. */
const bybitDeposit = (at: number) => ({
  retCode: 0,
  retMsg: 'OK',
  result: {
    rows: [
      {
        coin: 'BTC',
        chain: 'BTC',
        amount: '1',
        txID: 'a',
        status: 3,
        toAddress: 'a',
        tag: '',
        id: 'd1',
        successAt: String(at),
        depositType: '0',
      },
    ],
    nextPageCursor: '',
  },
});
