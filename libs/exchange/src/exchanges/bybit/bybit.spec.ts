import type { ExchangeSession, PreparedWithdrawal, WithdrawalInstruction } from '../../port/exchange.port.js';
import { ContractBench } from '../../testing/contract/contract-bench.js';
import { json, type Answer, type Reply } from '../../testing/contract/exchange-contract.js';
import { bybitContract } from './bybit-contract.js';
import { bybit } from './bybit.js';

const BOOK = 'GET /v5/asset/withdraw/query-address';
const RECORDS = 'GET /v5/asset/withdraw/query-record';
const DEPOSITS = 'GET /v5/asset/deposit/query-record';
const FUNDING = 'GET /v5/asset/transfer/query-account-coins-balance';
const UNIFIED = 'GET /v5/account/wallet-balance';
const OPEN = 'GET /v5/order/realtime';
const ENDED = 'GET /v5/order/history';

const ok = (result: object): Reply => json({ retCode: 0, retMsg: 'OK', result });
const subject = { declaration: bybit, contract: bybitContract };

/** Runs a check with these responses in place of some documented ones. */
async function withAnswers(
  answers: Readonly<Record<string, Answer>>,
  check: (session: ExchangeSession, bench: ContractBench) => Promise<void>,
): Promise<void> {
  await ContractBench.run(subject, async (bench) => {
    const session = await bench.open();
    bench.stub.answer(answers);
    await check(session, bench);
  });
}

function dataOf<T>(part: T | undefined): T {
  if (part === undefined) throw new Error('not offered');
  return part;
}

const instruction: WithdrawalInstruction = dataOf(bybitContract.withdrawals).instruction;
const { address, amountNoFee, fee } = instruction;

describe('the address book of an account at Bybit', () => {
  const entry = { coin: 'USDT', chain: 'ETH', address, tag: '', remark: '', status: 0, addressType: 0, verified: 0 };
  const book = (...rows: unknown[]): Record<string, Answer> => ({
    [BOOK]: ({ params }) => (params['cursor'] === undefined ? ok({ rows, nextPageCursor: 'next' }) : ok({ rows: [] })),
  });

  async function requirements(session: ExchangeSession): Promise<string[]> {
    const withdrawals = dataOf(session.withdrawals);
    const [network] = (await withdrawals.networks('USDT')).filter(({ id }) => id === 'ethereum');
    const quoted = { asset: 'USDT', network: dataOf(network), address, tag: null, amount: amountNoFee };
    const estimate = await withdrawals.estimate({ ...quoted, includeFee: false });
    return estimate.requirements.map(({ type }) => type);
  }
  const prepare = (session: ExchangeSession): Promise<PreparedWithdrawal> =>
    dataOf(session.withdrawals).prepare(instruction);

  it.each([
    ['that is saved for the coin', entry],
    ['that is saved for all coins on the chain', { ...entry, coin: 'baseCoin' }],
  ])('requires no further step for an address %s', (_name, saved) =>
    withAnswers(book(saved), async (session) => {
      expect(await requirements(session)).toEqual([]);
      expect((await prepare(session)).request).toMatchObject({ address });
    }),
  );

  it.each([
    ['that is not saved', 'address_allowlist', 'address_not_allowlisted', { ...entry, address: address.slice(0, -1) }],
    ['that is saved for another coin', 'address_allowlist', 'address_not_allowlisted', { ...entry, coin: 'USDC' }],
    ['that is saved for another chain', 'address_allowlist', 'address_not_allowlisted', { ...entry, chain: 'ARBI' }],
    ['that was saved less than 24 hours ago', 'address_allowlist', 'address_not_confirmed', { ...entry, status: 1 }],
    ['that is saved with a tag, which the withdrawal lacks', 'tag', 'tag_missing', { ...entry, tag: '7' }],
  ])('requires a step of the owner before a withdrawal to an address %s', (_name, type, reason, saved) =>
    withAnswers(book(saved), async (session) => {
      expect(await requirements(session)).toEqual([type]);
      await expect(prepare(session)).rejects.toMatchObject({
        kind: 'refused',
        code: 'WITHDRAWAL_INVALID_ADDRESS',
        reason,
      });
    }),
  );

  it('determines the spelling of the address, because Bybit compares the case of letters', () => {
    const spelling = `0x${address.slice(2).toUpperCase()}`;
    return withAnswers(book({ ...entry, address: spelling }), async (session) => {
      expect((await prepare(session)).request).toMatchObject({ address: spelling });
    });
  });

  it('is read until a page returns the same cursor with which it was requested', () =>
    withAnswers(
      { [BOOK]: ({ params }) => ok({ rows: params['cursor'] === undefined ? [{}] : [entry], nextPageCursor: 'same' }) },
      async (session) => expect((await prepare(session)).request).toMatchObject({ address }),
    ));

  it('is unusable when its pages never end', () =>
    withAnswers(
      { [BOOK]: ({ params }) => ok({ rows: [entry], nextPageCursor: `${params['cursor'] ?? ''}a` }) },
      (session) => expect(prepare(session)).rejects.toMatchObject({ kind: 'unavailable' }),
    ));
});

describe('the search for a withdrawal at Bybit', () => {
  // The contract of USDT on Tron (tronscan.org) is an address of Tron, too.
  const TRON = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
  const record = (rest: object): object => ({
    withdrawId: '1',
    coin: 'USDT',
    chain: 'ETH',
    status: 'success',
    toAddress: address,
    tag: '',
    txID: 'aa',
    amount: amountNoFee.toString(),
    withdrawFee: fee.toString(),
    createTime: String(Date.now()),
    ...rest,
  });
  const records = (rest: object): Record<string, Answer> => ({
    [RECORDS]: ({ params }) => ok(params['cursor'] === undefined ? { rows: [record(rest)] } : { rows: [] }),
  });

  it.each([
    ['a certain record for the amount that was sent', {}, [true]],
    ['a possible record for the sent amount plus the fee', { amount: amountNoFee.plus(fee).toString() }, [false]],
    ['no record for another amount', { amount: '25' }, []],
    ['a possible record, if the record has no address', { toAddress: '' }, [false]],
    ['no record for another network with an address of that network', { chain: 'TRX', toAddress: TRON }, []],
    ['a possible record for another address on an unknown network', { chain: 'NEW', toAddress: TRON }, [false]],
    ['a possible record for another address, if the record has no network', { chain: '', toAddress: TRON }, [false]],
    [
      'a possible record for another network, if the address is not one of that network',
      { chain: 'TRX', toAddress: 'A1' },
      [false],
    ],
    ['a possible record for the same address on another network', { chain: 'ARBI' }, [false]],
  ])('returns %s', (_name, rest, expected) =>
    withAnswers(records(rest), async (session) => {
      const withdrawals = dataOf(session.withdrawals);
      const { request, clientRef } = await withdrawals.prepare(instruction);
      const notBefore = new Date(Date.now() - 60_000);
      const { asset, network } = instruction;
      const found = await withdrawals.find({ asset, network, request, clientRef, exchangeId: null, notBefore });
      expect(found.map(({ isCertain }) => isCertain)).toEqual(expected);
    }),
  );

  // docs.ton.org, "Smart contract addresses": two forms of the address of one account.
  const [BOUNCEABLE, NOT_BOUNCEABLE] = [
    'EQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPrHF',
    'UQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPuwA',
  ];
  it.each([
    ['a certain record with the memo that was sent', '777', [true]],
    ['a possible record without a memo', '', [false]],
    ['no record with another memo', '8', []],
  ])('returns %s, if the records have another form of the address', (_name, tag, expected) =>
    withAnswers(records({ coin: 'TON', chain: 'TON', toAddress: NOT_BOUNCEABLE, tag }), async (session) => {
      const request = { coin: 'TON', address: BOUNCEABLE, tag: '777', amount: amountNoFee.toString() };
      const sought = { asset: 'TON', network: 'ton', request, clientRef: null, exchangeId: null };
      const notBefore = new Date(Date.now() - 60_000);
      const found = await dataOf(session.withdrawals).find({ ...sought, notBefore });
      expect(found.map(({ isCertain }) => isCertain)).toEqual(expected);
    }),
  );

  it('by an id proves nothing when the record that is found is unreadable', () =>
    withAnswers({ [RECORDS]: ok({ rows: [{ ...record({ withdrawId: '7' }), amount: 'much' }] }) }, async (session) => {
      const sought = { asset: 'USDT', network: 'ethereum', request: {}, clientRef: null, exchangeId: '7' };
      const found = dataOf(session.withdrawals).find({ ...sought, notBefore: new Date(Date.now() - 60_000) });
      await expect(found).rejects.toMatchObject({ kind: 'unavailable', reason: 'unusable_answer' });
    }));

  it('by an id covers 30 days, less a second, from the time of the withdrawal', () =>
    withAnswers(records({ withdrawId: '7' }), async (session, { stub }) => {
      const notBefore = new Date('2026-01-02T03:04:05Z');
      const sought = { asset: 'USDT', network: 'ethereum', request: {}, clientRef: null, exchangeId: '7', notBefore };
      expect(await dataOf(session.withdrawals).find(sought)).toHaveLength(1);
      const [call] = stub.calls(RECORDS);
      const end = String(notBefore.getTime() + 30 * 86_400_000 - 1001);
      expect(call?.params).toMatchObject({ withdrawID: '7', startTime: String(notBefore.getTime()), endTime: end });
    }));
});

describe('the history of an account at Bybit', () => {
  /** github.com/hirokisan/bybit, integrationtest/v5/asset/testdata/v5-asset-get-deposit-records.json (April 2023) */
  const recorded = {
    coin: 'USDT',
    chain: 'ETH',
    amount: '10000',
    txID: 'skip-notification-scene-test',
    status: 3,
    tag: '',
    toAddress: 'test-amount-address',
    depositFee: '',
    successAt: '1681607166000',
    confirmations: '10000',
  };

  it('gives a deposit without an id an id that consists of its other fields', () =>
    withAnswers({ [DEPOSITS]: ok({ rows: [recorded], nextPageCursor: '' }) }, async (session) => {
      const range = { since: new Date(1681607000000), until: new Date(1681608000000) };
      expect(await dataOf(session.history).page('deposit', range, null)).toMatchObject({
        records: [{ exchangeId: 'USDT skip-notification-scene-test test-amount-address 10000', status: 'ok' }],
        unreadable: 0,
      });
    }));

  /**
   * Bybit: "successAt: Deposit's success time". The documentation does not state the value of this field for a deposit
   * without this time. A client has recorded "0", for a successful deposit of January 2022.
   */
  it.each([
    [1, '', 'pending'],
    [1, '0', 'pending'],
    [3, '0', 'ok'],
  ])(
    'dates a deposit with the status %d and the success time "%s" to the end of the period',
    (status, successAt, expected) =>
      withAnswers({ [DEPOSITS]: ok({ rows: [{ ...recorded, status, successAt }] }) }, async (session) => {
        const range = { since: new Date(1681607000000), until: new Date(1681608000000) };
        const page = await dataOf(session.history).page('deposit', range, null);
        expect(page).toMatchObject({ records: [{ status: expected, at: range.until }], unreadable: 0 });
        expect(dataOf(session.history).lateByMs).toBeGreaterThan(29 * 86_400_000);
      }),
  );

  /**
   * Bybit's page deposit-record: "50: The deposit has been blocked due to an account or compliance restriction, pls go
   * to web to withdraw the funds"; changelog of 10 July 2026: "the funds will not be credited to your account".
   */
  it.each([
    ['a normal deposit', '0', 3, 'ok'],
    ['a blocked deposit', '50', 3, 'pending'],
    ['a blocked deposit', 50, 3, 'pending'],
    ['a blocked deposit that has failed', '50', 4, 'failed'],
  ])('reports %s (depositType %j) with the status %d as %s', (_which, depositType, status, expected) =>
    withAnswers({ [DEPOSITS]: ok({ rows: [{ ...recorded, depositType, status }] }) }, async (session) => {
      const range = { since: new Date(1681607000000), until: new Date(1681608000000) };
      const page = await dataOf(session.history).page('deposit', range, null);
      expect(page).toMatchObject({ records: [{ status: expected }], unreadable: 0 });
    }),
  );
});

describe('a period of the history at Bybit', () => {
  /** Bybit's pages deposit-record and withdraw-record: "`endTime` - `startTime` should be less than 30 days." */
  it('is shorter than 30 days also when both ends are rounded down to seconds, as Bybit filters deposits', () =>
    withAnswers({}, async (session, { stub }) => {
      const range = { since: new Date('2025-01-01T00:00:00Z'), until: new Date('2026-01-01T00:00:00.500Z') };
      await dataOf(session.history).page('deposit', range, null);
      const { startTime, endTime } = stub.calls(DEPOSITS)[0]?.params ?? {};
      const [start, end] = [startTime, endTime].map((time) => Math.floor(Number(time) / 1000));
      expect(Number(end) - Number(start)).toBeLessThan(30 * 86_400);
    }));
});

describe('a response of Bybit', () => {
  const UNREADABLE = { kind: 'unavailable', reason: 'unusable_answer' };
  const since = new Date(Date.now() - 60_000);

  it.each([
    ['an empty list', []],
    ['null', null],
  ])('proves that there are no withdrawals, balances or orders only if the field of the list is %s', (_name, none) => {
    const listed = { [RECORDS]: ok({ rows: none }), [FUNDING]: ok({ balance: none }), [UNIFIED]: ok({ list: [] }) };
    const orders = { [OPEN]: ok({ list: none }), [ENDED]: ok({ list: none }) };
    return withAnswers({ ...listed, ...orders }, async (session, { stub }) => {
      const sought = { clientOrderId: 'ours', request: { symbol: 'ETHUSDT' }, notBefore: since };
      expect(await dataOf(session.withdrawals).list(since)).toEqual({ records: [], isComplete: true });
      expect(await dataOf(session.trading).find(sought)).toBeNull();
      expect(await session.balances()).toEqual([]);
      stub.answer({ [RECORDS]: ok({}), [OPEN]: ok({}), [FUNDING]: ok({}) });
      await expect(dataOf(session.withdrawals).list(since)).rejects.toMatchObject(UNREADABLE);
      await expect(dataOf(session.trading).find(sought)).rejects.toMatchObject(UNREADABLE);
      await expect(session.balances()).rejects.toMatchObject(UNREADABLE);
    });
  });
});
