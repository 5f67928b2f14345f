import type { AccountMovement } from '../../port/exchange.port.js';
import { ContractBench } from '../../testing/contract/contract-bench.js';
import { json, type Answers, type Reply } from '../../testing/contract/exchange-contract.js';
import type { ReceivedCall } from '../../testing/stub-exchange.js';
import { okxContract } from './okx-contract.js';
import { okx } from './okx.js';

const FUNDING = 'GET /api/v5/asset/bills';
const TRADING = 'GET /api/v5/account/bills';
const WITHDRAWALS = 'GET /api/v5/asset/withdrawal-history';

const SINCE = new Date(1_790_000_000_000);
const at = (ms: number): string => String(SINCE.getTime() + ms);
const ok = (...data: unknown[]): Reply => json({ code: '0', msg: '', data });

/** The sample of #funding-account-rest-api-asset-bills-details. */
const bill = (rest: object): object => ({
  ...{ billId: '12344', ccy: 'BTC', clientId: '', balChg: '2', bal: '12', type: '1', ts: at(5), notes: '', ...rest },
});
/** Of the sample of #trading-account-rest-api-get-bills-details-last-7-days, the fields that are read, and some more. */
const trade = (rest: object): object => ({
  ...{ billId: '623950854533513219', ccy: 'BTC', balChg: '0.02', fee: '-0.00002', type: '2', subType: '1', ts: at(3) },
  ...rest,
});

/** These tests cover what is special about OKX. The contract suite checks the rest. */
const movementsWith = async (answers: Answers): Promise<AccountMovement[]> => {
  let found: AccountMovement[] | undefined;
  await ContractBench.run({ declaration: okx, contract: okxContract }, async (bench) => {
    bench.stub.answer({ [FUNDING]: ok(), [TRADING]: ok(), ...answers });
    found = await (await bench.open()).withdrawals?.movements?.('BTC', SINCE);
  });
  if (found === undefined) throw new Error('no movements');
  return found;
};

describe('the movements of an account at OKX', () => {
  it('are the bills of both accounts, newest first, without those of other assets and of earlier times', async () => {
    const movements = await movementsWith({
      [FUNDING]: ok(
        bill({ ts: at(5) }),
        bill({ billId: '2', ts: at(1) }),
        bill({ billId: '3', ccy: 'ETH' }),
        bill({ billId: '4', ts: at(-1) }),
      ),
      [TRADING]: ok(trade({})),
    });
    expect(movements.map(({ kind, change, reference }) => [kind, change.toString(), reference])).toEqual([
      ...[['other', '2', null]],
      ...[['other', '0.02', null]],
      ...[['other', '2', null]],
    ]);
  });

  it('have the id of a withdrawal that carries our reference, and none of others', async () => {
    const withdrawal = { type: '2', balChg: '-0.1' };
    const movements = await movementsWith({
      [FUNDING]: ok(bill({ ...withdrawal, clientId: 'ours' }), bill({ ...withdrawal, billId: '2' })),
      [WITHDRAWALS]: ok({
        ...{ wdId: '67485', clientId: 'ours', ccy: 'BTC', chain: 'BTC-Bitcoin', amt: '0.1', fee: '0', feeCcy: 'BTC' },
        ...{ state: '2', to: '17DKe3kkkkiiiiTvAKKi2vMPbm1Bz3CMKw', txId: 'aa', ts: at(4) },
      }),
    });
    expect(movements.map(({ kind, reference }) => [kind, reference])).toEqual([
      ['withdrawal', '67485'],
      ['withdrawal', null],
    ]);
  });

  it.each([
    ['1', 'other'],
    ['13', 'other'],
    ['131', 'other'],
    ['195', 'unknown'],
    ['221', 'unknown'],
    ['never seen', 'unknown'],
  ])('of the type %s are %s', async (type, kind) => {
    expect(await movementsWith({ [FUNDING]: ok(bill({ type })) })).toMatchObject([{ kind }]);
  });

  it('come from all pages, although times tie', async () => {
    const all = Array.from({ length: 250 }, (_, index) =>
      bill({ billId: String(index), ts: at(250 - Math.floor(index / 10)) }),
    ) as { ts: string }[];
    const page = ({ params: { after, before } }: ReceivedCall): Reply =>
      ok(...all.filter(({ ts }) => ts < (after ?? '9') && ts > (before ?? '0')).slice(0, 100));
    const movements = await movementsWith({ [FUNDING]: page });
    expect(movements.map(({ id }) => Number(id)).sort((a, b) => a - b)).toEqual(all.map((_, index) => index));
  });

  it('come from all pages of the trading account', async () => {
    const all = Array.from({ length: 150 }, (_, index) => trade({ billId: String(1000 - index) })) as {
      billId: string;
    }[];
    const page = ({ params: { after } }: ReceivedCall): Reply =>
      ok(...all.filter(({ billId }) => Number(billId) < Number(after ?? Infinity)).slice(0, 100));
    expect(await movementsWith({ [TRADING]: page })).toHaveLength(150);
  });

  it.each([
    ['an entry is unreadable', { [FUNDING]: ok(bill({}), bill({ balChg: 'x' })) }],
    ['an entry has no time', { [TRADING]: ok(trade({ ts: '' })) }],
    ['a page cannot hold all bills of one moment', { [FUNDING]: ok(...Array.from({ length: 100 }, () => bill({}))) }],
    ['an account is refused', { [TRADING]: json({ code: '50001', msg: 'Service temporarily unavailable', data: [] }) }],
  ])('are unavailable when %s', (_what, answers: Answers) =>
    expect(movementsWith(answers)).rejects.toMatchObject({ kind: 'unavailable' }),
  );
});
