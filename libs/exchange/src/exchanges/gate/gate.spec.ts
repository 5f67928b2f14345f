import { Amount } from '#money';
import type { DepositMethod } from '../../port/deposit.port.js';
import type { ExchangeSession, HistoryKind } from '../../port/exchange.port.js';
import { plain } from '../../testing/contract/account-rules.js';
import { ContractBench } from '../../testing/contract/contract-bench.js';
import { json, type Answers } from '../../testing/contract/exchange-contract.js';
import { gateContract } from './gate-contract.js';
import { gate } from './gate.js';

const DETAIL = 'GET /api/v4/account/detail';
const UNIFIED = 'GET /api/v4/unified/accounts';
const FUTURES = 'GET /api/v4/futures/{settle}/accounts';
const SUB_ACCOUNTS = 'GET /api/v4/wallet/sub_account_balances';
const SUB_MARGIN = 'GET /api/v4/wallet/sub_account_margin_balances';
const SUB_FUTURES = 'GET /api/v4/wallet/sub_account_futures_balances';
const CURRENCIES = 'GET /api/v4/spot/currencies';
const ADDRESS = 'GET /api/v4/wallet/deposit_address';
const PLACE = 'POST /api/v4/spot/orders';

/** Reads through a session while the exchange returns these responses. */
async function read<T>(
  answers: Answers,
  by: (session: ExchangeSession, bench: ContractBench) => Promise<T> | undefined,
): Promise<T> {
  let result: { value: T } | undefined;
  await ContractBench.run({ declaration: gate, contract: gateContract }, async (bench) => {
    bench.stub.answer(answers);
    const value = await by(await bench.open(), bench);
    if (value !== undefined) result = { value };
  });
  if (result === undefined) throw new Error('nothing was read');
  return result.value;
}

/**
 * Gate's documentation, account: "Mode: 1 - Classic mode, 2 - Legacy unified mode". The funds of a unified account are
 * in another list: "spot merged into trading account" (github.com/gate/gate-skills, gate-exchange-assets).
 */
describe('a key of Gate in unified mode', () => {
  const detail = (key: unknown) => ({ [DETAIL]: json({ user_id: 1667201533, ip_whitelist: [], key }) });
  // unified, "Get unified account information": the sample of the documentation, with a debt that the owner has.
  const balances = {
    ETH: { available: '0', freeze: '0', borrowed: '0.075393666654', equity: '1016.1', total_freeze: '0' },
    USDT: { available: '16.1', freeze: '1', borrowed: '0', equity: '19.1', total_freeze: '3', total_liab: '0' },
  };
  const unified = { ...detail({ mode: 2 }), [UNIFIED]: json({ user_id: 10001, locked: false, balances }) };

  it('reads the unified account, from which no withdrawal is known to be paid', async () => {
    const held = await read(unified, (session) => session.balances());
    expect(held.map(plain)).toEqual([
      {
        asset: 'ETH',
        free: '0',
        used: '0',
        total: '0',
        withdrawable: '0',
        elsewhere: [{ account: 'unified', kind: 'owed', amount: '0.075393666654' }],
      },
      {
        asset: 'USDT',
        free: '16.1',
        used: '3',
        total: '19.1',
        withdrawable: '0',
        elsewhere: [{ account: 'unified', kind: 'free', amount: '16.1' }],
      },
    ]);
    expect(await read(unified, (session) => session.keyInfo())).toMatchObject({ ipAllowlist: [] });
  });

  it('does not read the futures, which the unified account contains', async () => {
    const others = await read(unified, async (session, { stub }) => {
      const found = await session.otherAccounts?.(await session.balances());
      expect(stub.calls(FUTURES)).toEqual([]);
      return found;
    });
    expect(others?.map(({ name }) => name)).toEqual(['margin', 'earn', 'sub-accounts', 'other accounts']);
  });

  it('places no order', async () => {
    const outcome = await read(unified, async (session, { stub }) => {
      await session.balances();
      const { trading } = session;
      const found = await trading?.place({ request: {}, submissionDeadline: null }, { beforeSend: () => undefined });
      expect(stub.calls(PLACE)).toEqual([]);
      return found;
    });
    expect(outcome).toMatchObject({ kind: 'not_sent' });
  });

  it.each([{ mode: 1 }, {}, null, undefined])('is none if Gate reports %j', async (key) => {
    expect(await read(detail(key), (session) => session.balances())).toHaveLength(1);
    expect(await read(detail(key), (session) => session.keyInfo())).toMatchObject({ ipAllowlist: [] });
  });
});

describe('the sub-accounts of an owner at Gate', () => {
  // wallet, "Query sub-account balance information": the amounts are in two maps, each by currency.
  it('have the assets of which all is locked, and those of which nothing is', async () => {
    const answers: Answers = {
      [SUB_ACCOUNTS]: json([{ uid: '10003', available: { BTC: '1' }, locking: { GT: '5' } }]),
      ...Object.fromEntries([SUB_MARGIN, SUB_FUTURES].map((route) => [route, json([])])),
    };
    const found = await read(answers, async (session) => session.otherAccounts?.([]));
    const held = found?.find(({ name }) => name === 'sub-accounts')?.balances ?? [];
    expect(held.flatMap(({ asset, elsewhere }) => elsewhere?.map(({ amount }) => [asset, String(amount)]))).toEqual([
      ['BTC', '1'],
      ['GT', '5'],
    ]);
  });
});

describe('deposits at Gate', () => {
  const offered = async (asset: string, rest: object, ...chains: [name: string, addr: string, rest?: object][]) => {
    const listed = chains.map(([name, addr, more]) => ({ name, addr, deposit_disabled: false, ...more }));
    const answers = { [CURRENCIES]: json([{ currency: asset, delisted: false, chains: listed, ...rest }]) };
    const methods = await read(answers, ({ deposits }) => deposits?.methods(asset));
    return methods.map(({ network }) => network);
  };

  it('are offered for coins on their own chains, and not for wrapped coins', async () => {
    const bitcoin = ['BTC', ''] as [string, string];
    const wrapped = ['BSC', '0x7130d2a12b9bcbfae4f2634d864a1ee1ce3ead9c'] as [string, string];
    expect(await offered('BTC', {}, bitcoin, wrapped)).toEqual(['bitcoin']);
    expect(await offered('ETH', {}, ['ETH', ''], ['ARBEVM', ''], ['TRX', ''])).toEqual(['ethereum', 'arbitrum']);
  });

  it('are offered only for tokens with the contract in our table', async () => {
    const tether = ['ETH', '0xdac17f958d2ee523a2206206994597c13d831ec7'] as [string, string];
    const bridged = ['ARBEVM', '0xff970a61a04b1ca14834a43f5de4533ebddb5cc8'] as [string, string];
    expect(await offered('USDT', {}, tether, ['TRX', ''], ['OKT', tether[1]])).toEqual(['ethereum']);
    expect(await offered('USDC', {}, bridged)).toEqual([]);
  });

  it('are not offered while Gate has disabled them', async () => {
    expect(await offered('BTC', {}, ['BTC', '', { deposit_disabled: true }])).toEqual([]);
    expect(await offered('BTC', { delisted: true }, ['BTC', ''])).toEqual([]);
  });

  /** Reads the addresses of XRP. */
  const addressesOfXrp = (answer: object) => {
    const method: DepositMethod = {
      asset: 'XRP',
      network: 'ripple',
      exchangeMethodId: 'XRP',
      tagType: 'destinationTag',
      minimum: null,
      fee: null,
      limit: null,
      canGenerateAddress: false,
    };
    const chains = [{ name: 'XRP', addr: '', deposit_disabled: false }];
    const answers = {
      [CURRENCIES]: json([{ currency: 'XRP', delisted: false, chains }]),
      [ADDRESS]: json({ currency: 'XRP', ...answer }),
    };
    return read(answers, ({ deposits }) => deposits?.addresses(method));
  };
  const onChain = (chain: string, address: string, obtain_failed: number) => ({
    chain,
    address,
    payment_id: '1919537769',
    payment_name: 'Tag',
    obtain_failed,
  });
  const XRP = 'rNFugeoj3ZN8Wv6xhuLegUBBPXKCyWLRkB';

  it('have the address and the tag of their chain, without addresses that Gate could not obtain', async () => {
    const addresses = (obtain_failed: number) =>
      addressesOfXrp({ multichain_addresses: [onChain('XRP', XRP, obtain_failed)] });
    expect(await addresses(0)).toMatchObject([{ address: XRP, tag: '1919537769' }]);
    expect(await addresses(1)).toEqual([]);
  });

  // The text of Gate's API v2, quoted in github.com/ccxt/ccxt/pull/2712 (2018).
  const PENDING = 'New address is being generated for you, please wait a moment and refresh this page. ';

  it.each([
    ['of the currency', { address: PENDING, multichain_addresses: [] }],
    ['of the currency, without a list of chains', { address: PENDING }],
    ['of a chain', { address: '', multichain_addresses: [onChain('XRP', PENDING, 0)] }],
    ['of a chain that it could not obtain', { address: '', multichain_addresses: [onChain('XRP', PENDING, 1)] }],
  ])('are refused with the advice to wait while Gate generates the address %s', async (_which, answer) => {
    const refusal = { kind: 'refused', code: 'DEPOSIT_ADDRESS_UNAVAILABLE', reason: 'address_pending' };
    await expect(addressesOfXrp(answer)).rejects.toMatchObject(refusal);
  });

  it('have the address of their chain while Gate generates the one of another chain', async () => {
    const multichain_addresses = [onChain('XRP', XRP, 0), onChain('XRPBSC', PENDING, 0)];
    expect(await addressesOfXrp({ address: PENDING, multichain_addresses })).toMatchObject([{ address: XRP }]);
  });
});

/** Gate's documentation, wallet: "Get withdrawal records" */
const RECORD = {
  id: 'w1879219868',
  currency: 'USDT',
  address: 'THISISTESTADDRESSFORGATEPAY',
  amount: '4.023',
  fee: '0',
  txid: 'Internal transaction 260594131',
  chain: 'BSC',
  timestamp: '1745220149',
  status: 'DONE',
  withdraw_order_id: '202504211521368538928',
  block_number: '1000',
  fail_reason: '',
  type: 'appbankgp',
  memo: '',
};

describe('the history of Gate', () => {
  const record = (kind: HistoryKind, rest: object) =>
    read({ [`GET /api/v4/wallet/${kind}s`]: json([{ ...RECORD, ...rest }]) }, async ({ history }) => {
      const at = new Date(1745220149_000);
      const page = await history?.page(kind, { since: at, until: at }, null);
      return page?.records[0];
    });

  it('has no hash for a transfer within Gate', async () => {
    expect(await record('withdrawal', {})).toMatchObject({ hash: null, network: 'bsc', at: new Date(1745220149_000) });
    expect(await record('withdrawal', { txid: 'aa' })).toMatchObject({ hash: 'aa' });
  });

  it('deducts the fee from the amount of a withdrawal, and from no deposit', async () => {
    const amounts = { amount: '9', fee: '2' };
    expect(await record('withdrawal', amounts)).toMatchObject({ amount: Amount.of('7'), fee: Amount.of('2') });
    expect(await record('deposit', amounts)).toMatchObject({ amount: Amount.of('9'), fee: null });
  });

  it.each([
    ['withdrawal', 'DONE', 'ok'],
    ['withdrawal', 'CANCEL', 'canceled'],
    ['withdrawal', 'REJECT', 'failed'],
    ['withdrawal', 'INVALID', 'failed'],
    // "On-Chain Failure Pending Confirmation"
    ['withdrawal', 'FAIL', 'pending'],
    ['withdrawal', 'REVIEW', 'pending'],
    ['deposit', 'DONE', 'ok'],
    ['deposit', 'DEP_CREDITED', 'pending'],
    ['deposit', 'BLOCKED', 'pending'],
    ['deposit', 'INVALID', 'failed'],
  ] as const)('reports a %s with the status %s as %s', async (kind, status, expected) =>
    expect(await record(kind, { status })).toMatchObject({ status: expected, rawStatus: status }),
  );

  /** github.com/gateio/gateapi-go, docs/WithdrawalRecord.md: "block_number > 0 is considered to be truly completed" */
  it.each([
    ['0', 'pending', 'DONE (block 0)'],
    ['1000', 'ok', 'DONE'],
    [undefined, 'ok', 'DONE'],
  ])('reports a withdrawal that is DONE in the block %s as %s', async (block_number, status, rawStatus) =>
    expect(await record('withdrawal', { block_number })).toMatchObject({ status, rawStatus }),
  );
});
