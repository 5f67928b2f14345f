import { Amount } from '#money';
import type { HistoryCapability } from '../../port/exchange.port.js';
import { ExchangeHarness } from '../../testing/exchange-harness.js';
import { documented, refusal, result, speakKraken } from '../../testing/kraken-documentation.js';

const RANGE = { since: new Date('2023-01-01T00:00:00.400Z'), until: new Date('2024-01-01T00:00:00.400Z') };
const [deposit] = documented.DepositStatus;

describe('the history of an account at Kraken', () => {
  let harness: ExchangeHarness;
  let history: HistoryCapability;

  beforeAll(async () => {
    harness = await ExchangeHarness.start({ EXCHANGE_TIMEOUT_MS: '400' });
  });
  afterAll(() => harness.close());
  beforeEach(async () => {
    speakKraken(harness.stub);
    harness.stub.calls.length = 0;
    const session = await harness.open();
    if (session.history === undefined) throw new Error('no history');
    history = session.history;
  });

  const respondWithDeposits = (...records: unknown[]): void => harness.stub.on('DepositStatus', () => result(records));

  it('contains deposits as documented', async () => {
    expect(await history.page('deposit', RANGE, null)).toEqual({
      records: [
        {
          kind: 'deposit',
          exchangeId: 'FTQcuak-V6Za8qrWnhzTx67yYHz8Tg',
          status: 'ok',
          rawStatus: 'Success (return)',
          asset: 'BTC',
          amount: Amount.of('0.78125'),
          fee: Amount.zero,
          feeAsset: 'BTC',
          network: 'bitcoin',
          exchangeNetwork: 'Bitcoin',
          address: '2Myd4eaAW96ojk38A2uDK4FbioCayvkEgVq',
          tag: null,
          hash: '6544b41b607d8b2512baf801755a3a87b6890eacdb451be8a94059fb11f0a8d9',
          at: new Date(1688992722_000),
        },
        expect.objectContaining({
          exchangeId: 'FTQcuak-V6Za8qrPnhsTx47yYLz8Tg',
          status: 'pending',
          rawStatus: 'Settled (onhold)',
          asset: 'ETH',
          amount: Amount.of('0.1383862742'),
          fee: null,
          feeAsset: null,
          network: 'ethereum',
        }),
      ],
      unreadable: 0,
      nextCursor: null,
    });
  });

  it.each([
    ['Initial', undefined, 'pending'],
    ['Pending', undefined, 'pending'],
    ['EarlyConfirmed', undefined, 'pending'],
    ['Settled', undefined, 'pending'],
    ['Success', undefined, 'ok'],
    ['Failure', undefined, 'failed'],
    ['Success', 'onhold', 'pending'],
    // github.com/ccxt/ccxt/issues/11914 has recorded this spelling. The documentation has "onhold".
    ['Success', 'on-hold', 'pending'],
    ['Never seen', undefined, 'pending'],
  ])('reads a deposit that is %s with property %s as %s', async (status, property, expected) => {
    respondWithDeposits({ ...deposit, status, 'status-prop': property });
    const { records } = await history.page('deposit', RANGE, null);
    expect(records.map((record) => record.status)).toEqual([expected]);
  });

  it.each([
    ['the field `network`, if there is one', { network: 'Arbitrum One', method: 'Ether (Arbitrum)' }, 'arbitrum'],
    ['the method, if there is no network', { asset: 'USDT', method: 'Tether USD (TRC20)' }, 'tron'],
    ['the name of a deposit method', { asset: 'XETH', method: 'ETH - Arbitrum One (Unified)' }, 'arbitrum'],
    ['a method of another asset, which gives null', { asset: 'XXBT', method: 'Tether USD (TRC20)' }, null],
    ['a variant of a token, which gives null', { network: 'Polygon - USDC.e', method: 'USDC.e (Polygon)' }, null],
    ['a bank, which gives null', { method: 'SEPA' }, null],
    ['a missing method, which gives null', { method: undefined }, null],
  ])('gets the network from %s', async (_what, reported, network) => {
    respondWithDeposits({ ...deposit, ...reported });
    const { records } = await history.page('deposit', RANGE, null);
    expect(records[0]?.network).toBe(network);
  });

  it.each([
    ['of the network', { network: 'Polygon - USDC.e', method: 'USDC.e (Polygon)' }, 'Polygon - USDC.e'],
    ['of the method, if there is no network', { network: undefined, method: 'SEPA' }, 'SEPA'],
    ['as null, if there is neither network nor method', { network: undefined, method: undefined }, null],
  ])('contains the exchange’s own name %s', async (_what, reported, exchangeNetwork) => {
    respondWithDeposits({ ...deposit, ...reported });
    const { records } = await history.page('deposit', RANGE, null);
    expect(records[0]?.exchangeNetwork).toBe(exchangeNetwork);
  });

  it.each([
    ['an invalid amount', { amount: 'much' }],
    ['no id', { refid: '' }],
    ['no time', { time: undefined }],
  ])('counts an entry with %s as unreadable, and keeps the others', async (_what, broken) => {
    respondWithDeposits({ ...deposit, ...broken }, 'no record at all', { ...deposit, refid: 'GOOD' });
    const { records, unreadable } = await history.page('deposit', RANGE, null);
    expect([records.map(({ exchangeId }) => exchangeId), unreadable]).toEqual([['GOOD'], 2]);
  });

  it('is requested in whole seconds that include the whole period, and with the cursor of the previous page', async () => {
    await history.page('deposit', RANGE, null);
    await history.page('deposit', RANGE, 'HgAAAA==');
    const asked = harness.stub
      .callsOf('DepositStatus')
      .map(({ params: { start, end, cursor, limit } }) => ({ start: Number(start), end: Number(end), cursor, limit }));
    const range = { start: Date.UTC(2023, 0, 1) / 1000, end: Date.UTC(2024, 0, 1) / 1000 + 1, limit: '500' };
    expect(asked).toEqual([
      { ...range, cursor: 'true' },
      { ...range, cursor: 'HgAAAA==' },
    ]);
  });

  it.each(['deposit', 'deposits'])('continues at the cursor of a page whose list is called %s', async (name) => {
    harness.stub.on('DepositStatus', () => result({ [name]: [deposit], next_cursor: 'next' }));
    expect(await history.page('deposit', RANGE, null)).toMatchObject({ nextCursor: 'next', records: [{}] });
    harness.stub.on('DepositStatus', () => result({ [name]: [], next_cursor: 'next' }));
    expect(await history.page('deposit', RANGE, 'next')).toMatchObject({ nextCursor: null, records: [] });
  });

  it('reports an invalid cursor when Kraken refuses the cursor', async () => {
    harness.stub.on('DepositStatus', () => refusal('EGeneral:Invalid arguments'));
    await expect(history.page('deposit', RANGE, 'old')).rejects.toMatchObject({
      kind: 'refused',
      reason: 'invalid_cursor',
      rawCode: 'EGeneral:Invalid arguments',
    });
    await expect(history.page('deposit', RANGE, null)).rejects.toMatchObject({ reason: 'invalid_arguments' });
    harness.stub.on('DepositStatus', () => refusal('EService:Unavailable'));
    await expect(history.page('deposit', RANGE, 'old')).rejects.toMatchObject({ kind: 'unavailable' });
  });
});
