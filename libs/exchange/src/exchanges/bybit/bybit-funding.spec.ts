import { Amount } from '#money';
import type { PayingAccount } from '../../port/paying-account.js';
import { ContractBench } from '../../testing/contract/contract-bench.js';
import { json } from '../../testing/contract/exchange-contract.js';
import { bybitContract } from './bybit-contract.js';
import { bybit } from './bybit.js';

/** Bybit's pages asset/fund-history (July 2026) and asset/balance/all-balance */
describe('the funding account at Bybit', () => {
  const CHANGES = 'GET /v5/asset/fundinghistory';
  const BALANCES = 'GET /v5/asset/transfer/query-account-coins-balance';
  const SINCE_SECONDS = 1_772_669_763;
  const SINCE = new Date(SINCE_SECONDS * 1000);
  const entry = (currcCursor: string, seconds: number, rest: object = {}) => ({
    memberId: '290118',
    currency: 'BTC',
    ioDirection: 'I',
    txnAmt: '2',
    afterAmt: '12',
    createTime: String(SINCE_SECONDS + seconds),
    showBusiType: 'fundingAccountRecordEarn',
    currcCursor,
    showBusiTypeEn: 'Earn',
    description: 'a key',
    descriptionEn: 'Easy Earn',
    ...rest,
  });
  const ok = (result: object) => json({ retCode: 0, retMsg: 'OK', result, retExtInfo: {}, time: 1772699449372 });

  async function read(
    pages: Readonly<Record<string, { list: object[]; next?: string }>>,
    balance: readonly object[] = [],
  ): Promise<{ account: PayingAccount | undefined; calls: number }> {
    let account: PayingAccount | undefined;
    let calls = 0;
    await ContractBench.run({ declaration: bybit, contract: bybitContract }, async ({ open, stub }) => {
      stub.answer({
        [CHANGES]: ({ params }) => {
          const { list, next = '' } = pages[params['cursor'] ?? 'first'] ?? { list: [] };
          return ok({ nextPageCursor: next, list });
        },
        [BALANCES]: ok({ memberId: 'XXXX', accountType: 'FUND', balance }),
      });
      account = await (await open()).withdrawals?.payingAccount?.('BTC', SINCE);
      calls = stub.calls(CHANGES).length;
      expect(stub.calls().at(-1)).toMatchObject({ route: BALANCES, params: { accountType: 'FUND', coin: 'BTC' } });
    });
    return { account, calls };
  }

  it('has its balance, what is reserved, and its changes with the balance after each', async () => {
    const debit = entry('B', 5, { ioDirection: 'O', txnAmt: '1.5', afterAmt: '10.5' });
    const { account } = await read({ first: { list: [debit, entry('A', -60)], next: 'A' } }, [
      { coin: 'USDC', transferBalance: '1', walletBalance: '1', bonus: '' },
      { coin: 'BTC', transferBalance: '10', walletBalance: '10.5', bonus: '' },
    ]);
    expect(account).toEqual({
      total: Amount.of('10.5'),
      held: Amount.of('0.5'),
      changes: [
        {
          id: 'B',
          kind: 'unknown',
          clientRef: null,
          change: Amount.of('-1.5'),
          after: Amount.of('10.5'),
          at: new Date(SINCE.getTime() + 5_999),
        },
        {
          id: 'A',
          kind: 'unknown',
          clientRef: null,
          change: Amount.of('2'),
          after: Amount.of('12'),
          at: new Date(SINCE.getTime() - 59_001),
        },
      ],
    });
  });

  it('is empty when Bybit lists no balance of the coin', async () => {
    expect((await read({ first: { list: [] } })).account).toEqual({
      total: Amount.zero,
      held: Amount.zero,
      changes: [],
    });
  });

  it('does not count a change as older when it may be from the second in which the withdrawal was sent', async () => {
    const { account } = await read({ first: { list: [entry('A', 0)] } });
    expect(account?.changes.map(({ at }) => at < SINCE)).toEqual([false]);
  });

  const others = (count: number) =>
    Array.from({ length: count }, (_, index) => entry(`x${index}`, 9, { currency: 'X' }));

  it('is read page by page, without other coins, until a change from before the moment', async () => {
    const { account, calls } = await read({
      first: { list: [...others(99), entry('C', 9)], next: 'c1' },
      c1: { list: [...others(99), entry('B', -1)], next: 'c2' },
      c2: { list: [entry('A', -2)] },
    });
    expect(calls).toBe(2);
    expect(account?.changes.map(({ id }) => id)).toEqual(['C', 'B']);
  });

  it('is read to the end when there is no older change', async () => {
    const { account, calls } = await read({ first: { list: others(100), next: 'c1' }, c1: { list: [entry('A', 1)] } });
    expect(calls).toBe(2);
    expect(account?.changes.map(({ id }) => id)).toEqual(['A']);
  });

  it.each([
    ['no direction', { ioDirection: undefined }],
    ['no balance', { afterAmt: '' }],
    ['no time', { createTime: '0' }],
    ['no id', { currcCursor: '' }],
  ])('is unreadable when a change has %s', async (_name, rest) => {
    await expect(read({ first: { list: [entry('B', 1, rest), entry('A', -1)] } })).rejects.toMatchObject({
      kind: 'unavailable',
    });
  });
});
