import { Amount } from '#money';
import type { ExchangeSession, PreparedWithdrawal, WithdrawalInstruction } from '../../port/exchange.port.js';
import type { OrderInstruction, TradingCapability } from '../../port/trading.port.js';
import { ContractBench } from '../../testing/contract/contract-bench.js';
import type { ContractStub } from '../../testing/contract/contract-stub.js';
import type { Answers, ExchangeContract, Reply, SampleOrder } from '../../testing/contract/exchange-contract.js';
import type { ReceivedCall } from '../../testing/stub-exchange.js';
import type { AccountKind } from './bitget-account.js';
import { COINS_ROUTE, ok, refusal } from './bitget-common-contract.js';
import { bitgetContract } from './bitget-contract.js';
import { bitgetUnifiedOrder } from './bitget-samples.js';
import { bitgetUnifiedContract, route } from './unified/bitget-unified-contract.js';
import { bitget } from './bitget.js';

const DAY_MS = 86_400_000;
const V2 = {
  spot: 'GET /api/v2/spot/account/assets',
  funding: 'GET /api/v2/account/funding-assets',
  key: 'GET /api/v2/spot/account/info',
  deposit: 'GET /api/v2/spot/wallet/deposit-records',
  withdraw: 'POST /api/v2/spot/wallet/withdrawal',
  withdrawal: 'GET /api/v2/spot/wallet/withdrawal-records',
  place: 'POST /api/v2/spot/trade/place-order',
  order: 'GET /api/v2/spot/trade/orderInfo',
} as const;

/** An account at Bitget, which can become one of the other kind. */
interface Bank {
  kind: AccountKind | 'changing';
  readonly stub: ContractStub;
  readonly session: ExchangeSession;
  readonly open: () => Promise<ExchangeSession>;
  /** Replaces responses of the API that the account has. */
  readonly answer: (answers: Answers) => void;
}

const isOfV3 = (called: string): boolean => called.includes('/api/v3/');
const contract: ExchangeContract = {
  ...bitgetContract,
  calls: { ...bitgetUnifiedContract.calls, ...bitgetContract.calls },
};
const usual: Answers = Object.fromEntries(
  [bitgetContract, bitgetUnifiedContract].flatMap(({ calls }) =>
    Object.entries(calls).map(([called, { answer }]) => [called, answer] as const),
  ),
);

/**
 * Opens a session with an account. Each API refuses accounts of the other kind: by 40085 (recorded in
 * github.com/ccxt/ccxt/issues/26838) and by 40084 (recorded in TraderAlice/OpenAlice). While an account changes its
 * kind, both refuse it.
 */
async function withAccount(kind: Bank['kind'], check: (bank: Bank) => Promise<void>): Promise<void> {
  await ContractBench.run({ declaration: bitget, contract }, async ({ open, stub }) => {
    const answer = (answers: Answers): void =>
      stub.answer(
        Object.fromEntries(
          Object.entries(answers).map(([called, reply]) => [
            called,
            (call: ReceivedCall): Reply => {
              if (called !== COINS_ROUTE && bank.kind !== (isOfV3(called) ? 'unified' : 'classic'))
                return refusal(isOfV3(called) ? '40084' : '40085');
              return typeof reply === 'function' ? reply(call) : reply;
            },
          ]),
        ),
      );
    const bank: Bank = { kind, stub, session: await open(), open: () => open(), answer };
    answer(usual);
    await check(bank);
  });
}

function tradingOf({ trading }: ExchangeSession): TradingCapability {
  if (trading === undefined) throw new Error('the session has no trading');
  return trading;
}

function withdrawalsOf({ withdrawals }: ExchangeSession) {
  if (withdrawals === undefined) throw new Error('the session has no withdrawals');
  return withdrawals;
}

describe('a session with a unified account at Bitget', () => {
  it('reads everything by v3, and asks v2 only once', () =>
    withAccount('unified', async ({ session, stub }) => {
      const balances = await session.balances();
      expect(balances.map(({ asset }) => asset)).toEqual(['USDT', 'BGB']);
      expect((await session.keyInfo()).permissions).toContain('uta_trade');
      const range = { since: new Date(Date.now() - DAY_MS), until: new Date() };
      expect(await session.history?.page('deposit', range, null)).toMatchObject({ records: [], nextCursor: null });
      const [method] = (await session.deposits?.methods('BTC')) ?? [];
      if (method === undefined) throw new Error('no deposits');
      expect(await session.deposits?.addresses(method)).toHaveLength(1);
      const refused = stub.calls().filter(({ route: called }) => !isOfV3(called) && called !== COINS_ROUTE);
      expect(refused.map(({ route: called }) => called)).toEqual([V2.spot]);
    }));

  it('fails with the error of v3 when v3 refuses for another reason', () =>
    withAccount('unified', async ({ session, answer }) => {
      answer({ [route.key]: refusal('40014') });
      await expect(session.keyInfo()).rejects.toMatchObject({ kind: 'permission_missing', rawCode: '40014' });
    }));

  it('reads by the other API whenever the account changes its kind', () =>
    withAccount('classic', async (bank) => {
      const kinds: string[] = [];
      for (const kind of ['classic', 'unified', 'unified', 'classic'] as const) {
        bank.kind = kind;
        kinds.push((await bank.session.keyInfo()).permissions.includes('uta_trade') ? 'unified' : 'classic');
      }
      expect(kinds).toEqual(['classic', 'unified', 'unified', 'classic']);
    }));

  it.each(['classic', 'unified'] as const)('reports no invalid key while a %s account changes its kind', (kind) =>
    withAccount(kind, async (bank) => {
      await bank.session.keyInfo();
      bank.kind = 'changing';
      const rawCode = kind === 'classic' ? '40085' : '40084';
      await expect(bank.session.keyInfo()).rejects.toMatchObject({ kind: 'refused', rawCode });
      await expect(bank.session.balances()).rejects.toMatchObject({ kind: 'refused' });
      bank.kind = 'unified';
      expect((await bank.session.keyInfo()).permissions).toContain('uta_trade');
    }),
  );

  it('reads a period anew when the account changes its kind between two pages', () =>
    withAccount('classic', async (bank) => {
      const range = { since: new Date(Date.now() - DAY_MS), until: new Date() };
      const entry = (version: object) => ({ coin: 'BTC', dest: 'on_chain', size: '1', status: 'success', ...version });
      const time = String(range.since.getTime());
      const pageOf = (version: object) => ok(Array.from({ length: 100 }, () => entry({ orderId: '77', ...version })));
      bank.answer({
        [V2.deposit]: pageOf({ cTime: time }),
        [route.deposit]: pageOf({ createdTime: time }),
      });
      const next = async (cursor: string | null) =>
        (await bank.session.history?.page('deposit', range, cursor))?.nextCursor ?? null;
      const ofV2 = await next(null);
      expect(ofV2).toBe(`${range.until.getTime()}:77`);
      bank.kind = 'unified';
      const ofV3 = await next(ofV2);
      bank.kind = 'classic';
      await next(ofV3);
      const sent = (called: string) =>
        bank.stub.calls(called).map(({ params }) => params['cursor'] ?? params['idLessThan'] ?? 'the first page');
      // The session learns of each change by a refusal.
      expect(sent(route.deposit)).toEqual(['the first page', '77']);
      expect(sent(V2.deposit)).toEqual(['the first page', '77', 'the first page']);
    }));
});

const instruction: OrderInstruction = {
  exchangeSymbol: 'BTCUSDT',
  side: 'buy',
  type: 'limit',
  volume: Amount.of('1'),
  price: Amount.of('23222.5'),
  clientOrderId: 'ours',
  submissionDeadline: new Date(),
};
const beforeSend = (): void => undefined;

describe('an order of an account at Bitget that may be classic or unified', () => {
  it('is sent by the API that the last read has shown, in one request', () =>
    withAccount('unified', async ({ session, stub }) => {
      await session.balances();
      stub.forget();
      const trading = tradingOf(session);
      expect(await trading.place(trading.prepare(instruction), { beforeSend })).toMatchObject({ kind: 'accepted' });
      const [call, ...others] = stub.calls();
      expect([call?.route, others]).toEqual([route.place, []]);
      expect(call?.json).toMatchObject({ category: 'SPOT', orderType: 'limit', timeInForce: 'gtc', qty: '1' });
    }));

  it.each([
    ['classic', 'unified', V2.place],
    ['unified', 'classic', route.place],
  ] as const)(
    'that was prepared for a %s account has an unknown outcome when the account has become %s',
    (before, after, called) =>
      withAccount(before, async (bank) => {
        await bank.session.balances();
        const prepared = tradingOf(bank.session).prepare(instruction);
        bank.kind = after;
        bank.stub.forget();
        // Another session sends it, as after a restart.
        const trading = tradingOf(await bank.open());
        expect(await trading.place(prepared, { beforeSend })).toMatchObject({ kind: 'unknown' });
        expect(bank.stub.calls().map((call) => call.route)).toEqual([called]);
      }),
  );

  it('is prepared for v3 when v2 has refused the account, also if v3 could not return the balances', () =>
    withAccount('unified', async ({ session, answer }) => {
      const trading = tradingOf(session);
      answer({ [route.assets]: refusal('25000'), [route.funding]: refusal('25000') });
      await expect(session.balances()).rejects.toMatchObject({ kind: 'unavailable' });
      expect(trading.prepare(instruction).request).toMatchObject({ category: 'SPOT' });
    }));

  it('is sent after one more read when the balances could not be read', () =>
    withAccount('classic', async ({ session, stub, answer }) => {
      const trading = tradingOf(session);
      answer({ [V2.funding]: refusal('40725', 503) });
      await expect(session.balances()).rejects.toMatchObject({ kind: 'unavailable' });
      stub.forget();
      expect(await trading.place(trading.prepare(instruction), { beforeSend })).toMatchObject({ kind: 'accepted' });
      expect(stub.calls().map((call) => call.route)).toEqual([V2.spot, V2.place]);
    }));

  it('is not sent by the API that the account does not have, and is then prepared for the other API', () =>
    withAccount('unified', async ({ session, stub, answer }) => {
      const trading = tradingOf(session);
      stub.answer({ [V2.spot]: { status: 503, body: '' } });
      await expect(session.balances()).rejects.toMatchObject({ kind: 'unavailable' });
      answer(usual);
      stub.forget();
      expect(await trading.place(trading.prepare(instruction), { beforeSend })).toMatchObject({ kind: 'not_sent' });
      expect(stub.calls().map((call) => call.route)).toEqual([V2.spot, route.assets]);
      stub.forget();
      expect(await trading.place(trading.prepare(instruction), { beforeSend })).toMatchObject({ kind: 'accepted' });
      expect(stub.calls().map((call) => call.route)).toEqual([route.place]);
    }));

  it('is not sent while reads get no response, or both APIs refuse the account', () =>
    withAccount('changing', async (bank) => {
      const trading = tradingOf(bank.session);
      const place = () => trading.place(trading.prepare(instruction), { beforeSend });
      await expect(bank.session.balances()).rejects.toMatchObject({ kind: 'refused' });
      expect(await place()).toMatchObject({ kind: 'not_sent' });
      bank.stub.answer({ [V2.spot]: { status: 503, body: '' } });
      expect(await place()).toMatchObject({ kind: 'not_sent' });
      expect([...bank.stub.calls(V2.place), ...bank.stub.calls(route.place)]).toEqual([]);
      bank.kind = 'unified';
      await bank.session.keyInfo();
      expect(await place()).toMatchObject({ kind: 'accepted' });
    }));

  const sought = (request: Record<string, string>) => ({
    clientOrderId: 'ours',
    request,
    notBefore: new Date(Date.now() - 60_000),
  });
  const ofV2 = { symbol: 'BTCUSDT', clientOid: 'ours' };
  const ofV3 = { ...ofV2, category: 'SPOT' };
  const sample: SampleOrder = {
    exchangeId: '1001',
    clientOrderId: 'ours',
    at: new Date(Date.now() - 30_000),
    state: 'filled',
    volume: '1',
    side: 'buy',
    limitPrice: '2',
    executed: '1',
    averagePrice: '2',
    fee: '0.1',
    feeAsset: 'USDT',
  };

  it('that v2 has accepted is found and read by v3', () =>
    withAccount('unified', async ({ session, answer }) => {
      answer({ [route.order]: ok(bitgetUnifiedOrder(sample)) });
      const trading = tradingOf(session);
      expect(await trading.find(sought(ofV2))).toMatchObject({ exchangeId: '1001', status: 'filled' });
      expect(await trading.read({ ...sought(ofV2), exchangeId: '1001' })).toMatchObject({ status: 'filled' });
    }));

  /** An order of which no row exists may have been sent by v2 before the account became a unified account. */
  it('is proven to be absent only if v2 does not list it and it was not sent by v3', async () => {
    await withAccount('classic', async ({ session }) => {
      const trading = tradingOf(session);
      expect(await trading.find(sought(ofV2))).toBeNull();
      await expect(trading.find(sought(ofV3))).rejects.toMatchObject({ kind: 'unavailable' });
      expect(await trading.find({ ...sought(ofV3), isProofNeeded: false })).toBeNull();
    });
    await withAccount('unified', async ({ session }) => {
      const trading = tradingOf(session);
      for (const request of [ofV2, ofV3]) {
        await expect(trading.find(sought(request))).rejects.toMatchObject({ kind: 'unavailable' });
        expect(await trading.find({ ...sought(request), isProofNeeded: false })).toBeNull();
      }
    });
  });

  it('that v3 does not find may be late for 90 days', () =>
    withAccount('unified', async ({ session }) => {
      const trading = tradingOf(session);
      const order = { ...sought(ofV2), exchangeId: '1001' };
      await expect(trading.read(order)).rejects.toMatchObject({ code: 'TRADING_ORDER_NOT_FOUND' });
      const fate = (days: number) => trading.judgeMissing({ ...order, seenAt: new Date(Date.now() - days * DAY_MS) });
      expect([await fate(89), await fate(91)]).toEqual(['may_be_late', 'ended']);
    }));
});

describe('a withdrawal of an account at Bitget that may be classic or unified', () => {
  const { instruction: withdrawal } = bitgetContract.withdrawals as { instruction: WithdrawalInstruction };
  const { asset, network, clientRef, address, fee } = withdrawal;

  it('is offered only to classic accounts', () =>
    withAccount('unified', async (bank) => {
      const withdrawals = withdrawalsOf(bank.session);
      expect(await withdrawals.networks('BTC')).toEqual([]);
      expect(await withdrawals.datedNetworks()).toMatchObject({ networks: [] });
      bank.kind = 'classic';
      const [lightning] = await withdrawals.networks('BTC');
      expect((await withdrawals.datedNetworks()).networks).toHaveLength(1);
      if (lightning === undefined) throw new Error('not offered');
      bank.kind = 'unified';
      const refused = { kind: 'refused', reason: 'unified_account' };
      const amount = withdrawal.amountNoFee;
      const quoted = { asset, network: lightning, address, tag: null, amount, includeFee: false };
      await expect(withdrawals.prepare(withdrawal)).rejects.toMatchObject(refused);
      await expect(withdrawals.estimate(quoted)).rejects.toMatchObject(refused);
    }));

  it('is listed and estimated for a classic account without a further read, and is prepared after one', () =>
    withAccount('classic', async ({ session, stub }) => {
      await session.balances();
      const withdrawals = withdrawalsOf(session);
      const [lightning] = await withdrawals.networks('BTC');
      if (lightning === undefined) throw new Error('not offered');
      await withdrawals.datedNetworks();
      stub.forget();
      const amount = withdrawal.amountNoFee;
      await withdrawals.estimate({ asset, network: lightning, address, tag: null, amount, includeFee: false });
      expect(stub.calls(V2.spot)).toEqual([]);
      await withdrawals.prepare(withdrawal);
      expect(stub.calls(V2.spot)).toHaveLength(1);
    }));

  /** Prepares and sends a withdrawal, after which the account becomes a unified account. */
  async function sendAndChange(bank: Bank, isBefore: boolean): Promise<PreparedWithdrawal> {
    const withdrawals = withdrawalsOf(bank.session);
    const prepared = await withdrawals.prepare(withdrawal);
    if (isBefore) bank.kind = 'unified';
    const outcome = await withdrawals.submit(prepared, { beforeSend });
    expect(outcome.kind).toBe(isBefore ? 'unknown' : 'accepted');
    bank.kind = 'unified';
    return prepared;
  }

  const notBefore = new Date(Date.now() - 100 * DAY_MS);
  const find = ({ session }: Bank, { request }: PreparedWithdrawal, exchangeId: string | null) =>
    withdrawalsOf(session).find({ asset, network, request, clientRef, exchangeId, notBefore });

  it('has an unknown outcome when v2 refuses the account, and no absence from the list of v3 proves anything', () =>
    withAccount('classic', async (bank) => {
      const prepared = await sendAndChange(bank, true);
      expect(bank.stub.calls(V2.withdraw)).toHaveLength(1);
      await expect(find(bank, prepared, null)).rejects.toMatchObject({ kind: 'unavailable' });
      await expect(find(bank, prepared, '5')).rejects.toMatchObject({ kind: 'unavailable' });
      expect(bank.stub.calls(route.withdrawal).map(({ params }) => params['clientOid'] ?? params['orderId'])).toEqual([
        ...['ab12', 'ab12', 'ab12', '5', '5', '5'],
      ]);
      // No moment of the 90 days is left out between two periods.
      const periods = bank.stub.calls(route.withdrawal).slice(0, 3);
      const [since, until] = ['startTime', 'endTime'].map((name) => periods.map(({ params }) => params[name]));
      expect(since).toEqual([String(notBefore.getTime()), ...(until ?? []).slice(0, -1)]);
    }));

  it('that was sent before the account became a unified account is found by v3', () =>
    withAccount('classic', async (bank) => {
      const prepared = await sendAndChange(bank, false);
      const at = String(Date.now() - 50 * DAY_MS);
      const record = {
        orderId: '5',
        recordId: 'aa',
        coin: 'BTC',
        dest: 'on_chain',
        size: withdrawal.amountNoFee.toString(),
        status: 'success',
        toAddress: address,
        chain: 'lightning',
        fee: fee.toString(),
        clientOid: clientRef,
        type: 'withdraw',
        createdTime: at,
        updatedTime: at,
      };
      bank.answer({
        [route.withdrawal]: ({ params }) =>
          ok(Number(params['startTime']) <= Number(at) && Number(at) <= Number(params['endTime']) ? [record] : []),
      });
      const expected = { exchangeId: '5', status: 'completed', amountNoFee: withdrawal.amountNoFee, fee };
      expect(await find(bank, prepared, null)).toMatchObject([{ ...expected, isCertain: true }]);
      expect(await find(bank, prepared, '5')).toMatchObject([expected]);
    }));

  it('is listed only for a classic account, because a list of v3 may lack the withdrawals that v2 has sent', () =>
    withAccount('unified', async (bank) => {
      const withdrawals = withdrawalsOf(bank.session);
      await expect(withdrawals.list(notBefore)).rejects.toMatchObject({ kind: 'refused', reason: 'unified_account' });
      bank.kind = 'classic';
      expect(await withdrawals.list(notBefore)).toEqual({ records: [], isComplete: true });
    }));
});
