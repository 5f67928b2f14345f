import { Amount } from '#money';
import type { WithdrawalNetwork } from '../../port/exchange.port.js';
import { ContractBench } from '../../testing/contract/contract-bench.js';
import { json } from '../../testing/contract/exchange-contract.js';
import { bybitContract } from './bybit-contract.js';
import { bybit } from './bybit.js';

const COINS = 'GET /v5/asset/coin/query-info';
const USDT = '0xdac17f958d2ee523a2206206994597c13d831ec7';

/** A chain of a coin (page asset/coin-info). */
const chain = (name: string, rest: object = {}): object => ({
  chain: name,
  chainType: name,
  confirmation: '6',
  chainDeposit: '1',
  chainWithdraw: '1',
  depositMin: '0',
  minAccuracy: '8',
  withdrawFee: '0.5',
  withdrawMin: '10',
  withdrawMax: '1000',
  withdrawPercentageFee: '0',
  ...rest,
});

async function networksOf(coin: string, ...chains: object[]): Promise<WithdrawalNetwork[]> {
  let networks: WithdrawalNetwork[] = [];
  await ContractBench.run({ declaration: bybit, contract: bybitContract }, async (bench) => {
    const session = await bench.open();
    const result = { rows: [{ name: coin, coin, remainAmount: '1', chains }] };
    bench.stub.answer({ [COINS]: json({ retCode: 0, retMsg: 'OK', result }) });
    networks = (await session.withdrawals?.networks(coin)) ?? [];
  });
  return networks;
}

describe('the networks for withdrawals at Bybit', () => {
  it('have the bounds of the amount that arrives, plus the fee, which the account is debited', async () => {
    expect(await networksOf('USDT', chain('ETH', { contractAddress: USDT }))).toMatchObject([
      { id: 'ethereum', fee: Amount.of('0.5'), minWithdrawal: Amount.of('10.5'), maxWithdrawal: Amount.of('1000.5') },
    ]);
  });

  it.each([
    ['10', 8],
    ['4', 4],
  ])('have at most the decimals of the chain: %s listed decimals', async (minAccuracy, decimals) => {
    expect(await networksOf('BTC', chain('BTC', { minAccuracy }))).toMatchObject([{ id: 'bitcoin', decimals }]);
  });

  it('exclude a network that the coin has twice, because one of the two entries is another token', async () => {
    const [one, other] = [
      chain('ETH', { contractAddress: USDT }),
      chain('ETH', { contractAddress: USDT, chainType: 'E' }),
    ];
    expect(await networksOf('USDT', one, other)).toEqual([]);
  });
});
