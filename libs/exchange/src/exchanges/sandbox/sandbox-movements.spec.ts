import { Amount } from '#money';
import type { AccountMovement } from '../../port/exchange.port.js';
import { ExchangeHarness } from '../../testing/exchange-harness.js';
import { MOVEMENT, refuse, route, speakSandbox, WITHDRAWAL } from '../../testing/sandbox-documentation.js';

const MOVEMENTS = route('GET', '/movements');
const SINCE = new Date(1_794_999_999_999);

describe('the movements of an account at the sandbox exchange', () => {
  let harness: ExchangeHarness;
  let movements: () => Promise<AccountMovement[]>;

  beforeAll(async () => {
    harness = await ExchangeHarness.start();
  });
  afterAll(() => harness.close());
  beforeEach(async () => {
    speakSandbox(harness.stub);
    harness.stub.calls.length = 0;
    const withdrawals = await harness.withdrawals('sandbox');
    movements = async () => {
      if (withdrawals.movements === undefined) throw new Error('no movements');
      return withdrawals.movements('BTC', SINCE);
    };
  });

  const page = (entries: object[], nextCursor: string | null = null) => ({ movements: entries, nextCursor });

  it('have the id of the withdrawal, and the debited amount with the fee', async () => {
    harness.stub.on(MOVEMENTS, () => page([MOVEMENT]));
    expect(await movements()).toEqual([
      {
        id: MOVEMENT.id,
        kind: 'withdrawal',
        reference: WITHDRAWAL.id,
        change: Amount.of('-0.01015'),
        at: new Date(1_795_000_000_000),
      },
    ]);
  });

  it.each([
    ['deposit', 'other'],
    ['trade', 'other'],
    ['transfer', 'other'],
    ['never seen', 'unknown'],
  ])('of the type %s are of the kind %s', async (type, kind) => {
    harness.stub.on(MOVEMENTS, () => page([{ ...MOVEMENT, type, recordId: null }]));
    expect(await movements()).toMatchObject([{ kind, reference: null }]);
  });

  it('come from all pages', async () => {
    harness.stub.on(MOVEMENTS, ({ params: { cursor } }) =>
      cursor === undefined ? page([{ ...MOVEMENT, id: 'L2' }], 'L2') : page([{ ...MOVEMENT, id: 'L1' }]),
    );
    expect((await movements()).map(({ id }) => id)).toEqual(['L2', 'L1']);
    const asked = { asset: 'BTC', since: '1794999999999', limit: '500' };
    expect(harness.stub.callsOf(MOVEMENTS).map(({ params }) => params)).toEqual([asked, { ...asked, cursor: 'L2' }]);
  });

  it('are unavailable when the listing is incomplete', async () => {
    const incomplete = { kind: 'unavailable', exchange: 'sandbox' };
    let id = 0;
    harness.stub.on(MOVEMENTS, () => page([{ ...MOVEMENT, id: `L${id++}` }], 'more'));
    await expect(movements()).rejects.toMatchObject(incomplete);
    expect(harness.stub.callsOf(MOVEMENTS)).toHaveLength(20);
    harness.stub.on(MOVEMENTS, ({ params: { cursor } }) => page([MOVEMENT], cursor === undefined ? 'more' : null));
    await expect(movements()).rejects.toMatchObject(incomplete);
    harness.stub.on(MOVEMENTS, () => page([MOVEMENT, { ...MOVEMENT, id: 'L2', change: 'much' }]));
    await expect(movements()).rejects.toMatchObject(incomplete);
    harness.stub.on(MOVEMENTS, ({ params: { cursor } }, response) =>
      cursor === undefined ? page([MOVEMENT], 'more') : refuse(response, 503, 'unavailable'),
    );
    await expect(movements()).rejects.toMatchObject(incomplete);
  });
});
