import { Amount } from '#money';
import type { HistoryCapability, HistoryKind } from '../../port/exchange.port.js';
import { ExchangeHarness } from '../../testing/exchange-harness.js';
import { DEPOSIT, refuse, route, speakSandbox, WITHDRAWAL } from '../../testing/sandbox-documentation.js';

const RANGE = { since: new Date(1_790_000_000_400), until: new Date(1_796_000_000_600) };

describe('the history of an account at the sandbox exchange', () => {
  let harness: ExchangeHarness;
  let history: HistoryCapability;

  beforeAll(async () => {
    harness = await ExchangeHarness.start();
  });
  afterAll(() => harness.close());
  beforeEach(async () => {
    speakSandbox(harness.stub);
    harness.stub.calls.length = 0;
    const session = await harness.open('sandbox');
    if (session.history === undefined) throw new Error('no history');
    history = session.history;
  });

  const answers = (kind: HistoryKind, records: unknown[], nextCursor: string | null = null): void =>
    harness.stub.on(route('GET', `/${kind}s`), () => ({ [`${kind}s`]: records, nextCursor }));

  it('contains deposits', async () => {
    answers('deposit', [DEPOSIT], 'next');
    expect(await history.page('deposit', RANGE, null)).toEqual({
      records: [
        {
          kind: 'deposit',
          exchangeId: DEPOSIT.id,
          status: 'pending',
          rawStatus: 'arriving',
          asset: 'ETH',
          amount: Amount.of('1.5'),
          fee: Amount.zero,
          feeAsset: 'ETH',
          network: 'arbitrum',
          exchangeNetwork: 'arbitrum-one',
          address: DEPOSIT.address,
          tag: null,
          hash: DEPOSIT.txHash,
          at: new Date(DEPOSIT.createdAt),
        },
      ],
      unreadable: 0,
      nextCursor: 'next',
    });
  });

  it.each([
    ['requested', 'pending'],
    ['confirmed', 'ok'],
    ['failed', 'failed'],
    ['canceled', 'canceled'],
    ['never seen', 'pending'],
  ])('reads a withdrawal that is %s as %s', async (rawStatus, status) => {
    answers('withdrawal', [{ ...WITHDRAWAL, status: rawStatus, network: 'polygon-usdc-e' }]);
    const { records } = await history.page('withdrawal', RANGE, null);
    const expected = {
      kind: 'withdrawal',
      exchangeId: WITHDRAWAL.id,
      status,
      rawStatus,
      network: null,
      exchangeNetwork: 'polygon-usdc-e',
    };
    expect(records).toEqual([expect.objectContaining(expected)]);
  });

  it('counts unreadable entries, and keeps the others', async () => {
    answers('deposit', [{ ...DEPOSIT, amount: 'much' }, DEPOSIT, null]);
    expect(await history.page('deposit', RANGE, null)).toMatchObject({ records: [{}], unreadable: 2 });
  });

  it('is requested by a period in milliseconds, and by the cursor of the page before', async () => {
    await history.page('deposit', RANGE, null);
    await history.page('deposit', RANGE, 'last');
    const asked = harness.stub.callsOf(route('GET', '/deposits')).map(({ params }) => params);
    const range = { since: '1790000000400', until: '1796000000600', limit: '500' };
    expect(asked).toEqual([range, { ...range, cursor: 'last' }]);
  });

  it('reports an invalid cursor when the exchange refuses the cursor', async () => {
    harness.stub.on(route('GET', '/deposits'), (_call, response) => refuse(response, 422, 'invalid_request'));
    await expect(history.page('deposit', RANGE, 'old')).rejects.toMatchObject({
      kind: 'refused',
      reason: 'invalid_cursor',
    });
    await expect(history.page('deposit', RANGE, null)).rejects.toMatchObject({ reason: 'invalid_arguments' });
    harness.stub.on(route('GET', '/deposits'), (_call, response) => refuse(response, 429, 'rate_limited'));
    await expect(history.page('deposit', RANGE, 'old')).rejects.toMatchObject({ kind: 'rate_limited' });
  });
});
