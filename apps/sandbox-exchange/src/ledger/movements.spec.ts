import fc from 'fast-check';
import { holdingsOf, type ExchangeSession } from '#exchange';
import { ExchangeHarness } from '#exchange/testing';
import { Amount } from '#money';
import { Secret } from '#platform/crypto';
import { PartnerClient } from '../../test/partner.js';
import { TestSandbox } from '../../test/sandbox.js';

const BALANCES = { BTC: '5', ETH: '10', USD: '100000' };
const ASSETS = ['BTC', 'ETH', 'USD'];
const AMOUNTS = ['0.01', '0.25', '1', '3'];

const amount = fc.constantFrom(...AMOUNTS);
const coin = fc.constantFrom('BTC', 'ETH');
/** One action on the tested account. The field `pick` selects one of the account's withdrawals or deposits. */
const action = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('withdraw' as const), asset: coin, amount }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('fund' as const), asset: coin, amount, isLate: fc.boolean() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('order' as const),
      side: fc.constantFrom('buy', 'sell'),
      volume: amount,
      price: fc.constantFrom(null, '90000', '110000'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('end' as const),
      pick: fc.nat(),
      status: fc.constantFrom('confirmed', 'failed', 'canceled'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('arrive' as const),
      pick: fc.nat(),
      status: fc.constantFrom('Success', 'Failure'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('price' as const), price: fc.constantFrom('89000', '100000', '111000') }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('wait' as const) }) },
);
type Action = typeof action extends fc.Arbitrary<infer One> ? One : never;

/** An account of the sandbox exchange, and `session`, with which the connector under test reads its movements. */
interface Moved {
  accountId: string;
  session: ExchangeSession;
  withdraw: (asset: string, amount: string) => Promise<void>;
  order: (order: Record<string, string>) => Promise<void>;
}

describe('the movements of an account', () => {
  let sandbox: TestSandbox;
  let harness: ExchangeHarness;
  beforeAll(async () => {
    sandbox = await TestSandbox.start();
    harness = await ExchangeHarness.start({ SANDBOX_URL: sandbox.url });
  });
  afterAll(async () => {
    await harness.close();
    await sandbox.close();
  });

  const openKraken = async (): Promise<Moved> => {
    const account = await sandbox.open({ balances: BALANCES });
    let nonce = 1;
    const call = async (endpoint: string, params: Record<string, string>): Promise<void> => {
      await sandbox.call(account, endpoint, { nonce: String(nonce++), ...params });
    };
    const { accountId, apiKey, apiSecret } = account;
    const credentials = { apiKey: new Secret(apiKey), apiSecret: new Secret(apiSecret) };
    return {
      accountId,
      session: await harness.exchanges.open(harness.target({ exchange: 'kraken', credentials })),
      withdraw: (asset, gross) => {
        const key = account.withdrawalAddresses.find((one) => one.asset === asset)?.key ?? '';
        return call('Withdraw', { asset, key, amount: gross });
      },
      order: (order) => call('AddOrder', { pair: 'XBTUSD', ...order }),
    };
  };

  const openPartner = async (): Promise<Moved> => {
    const client = await PartnerClient.open(sandbox, { balances: BALANCES });
    const { accountId, token, addresses } = client.account;
    let booked = 0;
    return {
      accountId,
      session: await harness.exchanges.open(
        harness.target({ exchange: 'sandbox', credentials: { apiKey: new Secret(token) } }),
      ),
      withdraw: async (asset, net) => {
        const [network = '', address = ''] = Object.entries(addresses[asset] ?? {})[0] ?? [];
        const validUntil = sandbox.clock.now.getTime() + 60_000;
        const order = { reference: `${++booked}`, asset, network, address, amount: net, maxFee: '1', validUntil };
        await client.call('POST', '/withdrawals', order);
      },
      order: () => Promise.resolve(),
    };
  };

  async function carryOut({ accountId, ...moved }: Moved, one: Action): Promise<void> {
    sandbox.advance(1000);
    const ledger = async () =>
      (await sandbox.control('GET', `accounts/${accountId}/ledger`)).body as Record<
        'withdrawals' | 'deposits',
        { refid: string }[]
      >;
    const picked = (records: { refid: string }[], pick: number) => records[pick % records.length]?.refid ?? 'nobody';
    switch (one.kind) {
      case 'withdraw':
        return moved.withdraw(one.asset, one.amount);
      case 'fund': {
        const { asset, isLate } = one;
        const order = { asset, amount: one.amount, status: isLate ? 'Settled' : 'Success' };
        await sandbox.control('POST', `accounts/${accountId}/fund`, order);
        return;
      }
      case 'order': {
        const { side: type, volume, price } = one;
        return moved.order({ type, volume, ordertype: price === null ? 'market' : 'limit', ...(price && { price }) });
      }
      case 'end':
        await sandbox.control('POST', `withdrawals/${picked((await ledger()).withdrawals, one.pick)}`, {
          status: one.status,
        });
        return;
      case 'arrive':
        await sandbox.control('POST', `deposits/${picked((await ledger()).deposits, one.pick)}`, {
          status: one.status,
        });
        return;
      case 'price':
        await sandbox.control('POST', 'prices', { pair: 'XBTUSD', price: one.price });
        return;
      case 'wait':
        sandbox.advance(1500);
    }
  }

  it.each([
    ['kraken', openKraken],
    ['sandbox', openPartner],
  ])('add up to the change of the balance: %s', async (_exchange, open) => {
    let moving = 0;
    const law = fc.asyncProperty(
      fc.array(action, { maxLength: 30, size: 'max' }),
      fc.nat({ max: 10 }),
      async (actions, before) => {
        const moved = await open();
        for (const one of actions.slice(0, before)) await carryOut(moved, one);
        sandbox.advance(1000);
        const since = sandbox.clock.now;
        const { body } = await sandbox.control('GET', `accounts/${moved.accountId}/ledger`);
        const { balances } = body as { balances: Record<string, { total: string }> };
        for (const one of actions.slice(before)) await carryOut(moved, one);
        const after = await moved.session.balances();
        for (const asset of ASSETS) {
          const movements = (await moved.session.withdrawals?.movements?.(asset, since)) ?? [];
          moving += movements.length;
          const sum = movements.reduce(
            (total, { change }) => total.plus(change),
            Amount.of(balances[asset]?.total ?? '0'),
          );
          expect([asset, sum.toString()]).toEqual([asset, holdingsOf('sandbox', after, asset).total.toString()]);
        }
      },
    );
    await fc.assert(law, { numRuns: 20 });
    // The rule holds trivially for accounts without movements, so enough cases must have some.
    expect(moving).toBeGreaterThan(20);
  });
});
