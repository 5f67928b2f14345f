import { ContractBench } from '../../testing/contract/contract-bench.js';
import { json } from '../../testing/contract/exchange-contract.js';
import { bybitContract } from './bybit-contract.js';
import { travelRuleOf } from './bybit-travel-rule.js';
import { bybit } from './bybit.js';

const KEY = 'GET /v5/user/query-api';
const WITHDRAW = 'POST /v5/asset/withdraw/create';

/** Bybit's pages asset/withdraw/withdraw and asset/withdraw/questionnaire (24 July 2026) */
describe('a withdrawal from an account at Bybit', () => {
  const { withdrawals } = bybitContract;
  if (withdrawals === undefined) throw new Error('Bybit offers withdrawals');
  const { instruction } = withdrawals;
  const { asset, address, tag, amountNoFee: amount } = instruction;

  /** The requirements of a quote, and the refusal of its execution, when the owner is from this country. */
  async function tryWithdrawal(kycRegion: unknown) {
    let requirements: string[] = [];
    let refusal: unknown = null;
    await ContractBench.run({ declaration: bybit, contract: bybitContract }, async ({ open, stub }) => {
      stub.answer({ [KEY]: json({ retCode: 0, retMsg: '', result: { userID: 1448939, kycRegion } }) });
      const session = await open();
      const [network] = ((await session.withdrawals?.networks(asset)) ?? []).filter(
        ({ id }) => id === instruction.network,
      );
      if (network === undefined) throw new Error('no network');
      const quoted = { asset, network, address, tag, amount, includeFee: false };
      requirements = (await session.withdrawals?.estimate(quoted))?.requirements.map(({ type }) => type) ?? [];
      await session.withdrawals?.prepare(instruction).catch((error: unknown) => (refusal = error));
      expect(stub.calls(WITHDRAW)).toEqual([]);
    });
    return { requirements, refusal };
  }

  it.each(['KOR', 'IND', 'ARE', 'TUR', 'KAZ', 'IDN', 'DEU', 'NOR'])(
    'is refused before it is sent when the owner is from %s, and the estimate reports the travel rule',
    async (country) => {
      expect(await tryWithdrawal(country)).toMatchObject({
        requirements: ['travel_rule'],
        refusal: { kind: 'refused', reason: 'travel_rule' },
      });
    },
  );

  it.each(['MYS', 'JPN', '', null, undefined])(
    'needs no data about the recipient with the country %j',
    async (country) => {
      expect(await tryWithdrawal(country)).toEqual({ requirements: [], refusal: null });
    },
  );

  it('needs the data at the sites of these countries, whatever country Bybit reports', () => {
    const sites = bybit.spec.regions?.filter(({ url }) => travelRuleOf(url, null) !== null).map(({ id }) => id);
    expect(sites).toEqual(['nl', 'tr', 'kz', 'ae', 'id']);
  });
});
