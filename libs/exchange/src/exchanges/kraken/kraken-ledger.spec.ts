import { Amount } from '#money';
import type { AccountMovement } from '../../port/exchange.port.js';
import { ExchangeHarness } from '../../testing/exchange-harness.js';
import { documented, refusal, result, speakKraken } from '../../testing/kraken-documentation.js';

/** https://docs.kraken.com/api-reference/account-data/get-ledgers-info: the second entry of its example. */
const SAMPLE = documented.Ledgers.ledger['LMKZCZ-Z3GVL-CXKK4H'];
const SINCE = new Date('2023-07-01T00:00:00.400Z');
const PAGE = 50;

type Entry = Omit<typeof SAMPLE, keyof typeof SAMPLE> & Record<string, unknown>;

describe('the movements of an account at Kraken', () => {
  let harness: ExchangeHarness;
  let movements: (asset: string, since?: Date) => Promise<AccountMovement[]>;

  beforeAll(async () => {
    harness = await ExchangeHarness.start();
  });
  afterAll(() => harness.close());
  beforeEach(async () => {
    speakKraken(harness.stub);
    harness.stub.calls.length = 0;
    const withdrawals = await harness.withdrawals();
    movements = async (asset, since = SINCE) => {
      if (withdrawals.movements === undefined) throw new Error('no movements');
      return withdrawals.movements(asset, since);
    };
  });

  const answers = (ledger: Record<string, Entry>, count: unknown = Object.keys(ledger).length): void =>
    harness.stub.on('Ledgers', () => result({ ledger, count }));

  /** Responds with pages of 50 entries as documented: the newest first, after `start` and up to `end`. */
  const respondWithPages = (all: () => [string, Entry][]): void =>
    harness.stub.on('Ledgers', ({ params }) => {
      const { start, end = '99999999999', ofs } = params;
      const asked = all().filter(([, { time }]) => Number(time) > Number(start) && Number(time) <= Number(end));
      const ledger = Object.fromEntries(asked.slice(Number(ofs), Number(ofs) + PAGE));
      return result({ ledger, count: asked.length });
    });
  const manyEntries = (count: number): [string, Entry][] =>
    Array.from({ length: count }, (_, index) => [`L${index}`, { ...SAMPLE, time: 1_688_464_484.5 - index }]);

  const incomplete = { kind: 'unavailable', exchange: 'kraken' };

  it('contain those of forms of the asset that we do not know', async () => {
    answers({ L1: { ...SAMPLE, asset: 'NEWCOIN.X' }, L2: { ...SAMPLE, asset: 'NEWCOINS' } });
    expect((await movements('NEWCOIN')).map(({ id }) => id)).toEqual(['L1']);
  });

  it('are the entries of the asset in the documented example', async () => {
    expect(await movements('USD')).toEqual([
      {
        id: 'LMKZCZ-Z3GVL-CXKK4H',
        kind: 'other',
        reference: 'TBZIP2-F6QOU-TMB6FY',
        change: Amount.of('0.9842'),
        after: { holding: 'USD', total: Amount.of('52732.1132') },
        at: new Date(1_688_444_262_889),
      },
    ]);
    expect(await movements('BTC')).toEqual([]);
  });

  it('have the reference of the withdrawal, and the debited amount with the fee', async () => {
    answers({
      L1: { ...SAMPLE, type: 'withdrawal', asset: 'XXBT', refid: 'FTQcuak', amount: '-0.72485', fee: '0.0002' },
    });
    expect(await movements('BTC')).toMatchObject([
      { kind: 'withdrawal', reference: 'FTQcuak', change: Amount.of('-0.72505') },
    ]);
  });

  // https://github.com/BittyTax/BittyTax/issues/287 shows an export of a withdrawal that the bank returned.
  it('contain a returned withdrawal under the same reference, with the signs of amount and fee reversed', async () => {
    const withdrawal = { ...SAMPLE, type: 'withdrawal', refid: 'A1' };
    answers({
      L2: { ...withdrawal, amount: '4.9100', fee: '-0.0900' },
      L1: { ...withdrawal, amount: '-4.9100', fee: '0.0900' },
    });
    const found = await movements('USD');
    expect(found.map(({ kind, reference, change }) => [kind, reference, change.toString()])).toEqual([
      ['withdrawal', 'A1', '5'],
      ['withdrawal', 'A1', '-5'],
    ]);
  });

  it.each([
    ['withdrawal', '', '-1', 'withdrawal'],
    ['trade', '', '-1', 'other'],
    ['deposit', '', '1', 'other'],
    ['margin', '', '-1', 'other'],
    ['rollover', '', '0', 'other'],
    ['spend', '', '-1', 'other'],
    ['receive', '', '1', 'other'],
    ['settled', '', '-1', 'other'],
    ['staking', '', '1', 'other'],
    ['earn', 'allocation', '-1', 'other'],
    ['reward', '', '1', 'other'],
    ['dividend', '', '1', 'other'],
    ['sale', '', '-1', 'other'],
    ['conversion', '', '-1', 'other'],
    ['nfttrade', '', '-1', 'other'],
    ['nftcreatorfee', '', '-1', 'other'],
    ['nftrebate', '', '1', 'other'],
    ['transfer', '', '1', 'other'],
    ['transfer', 'spottofutures', '-1', 'other'],
    ['transfer', 'spottostaking', '-1', 'other'],
    ['transfer', '', '-1', 'unknown'],
    ['transfer', 'elsewhere', '-1', 'unknown'],
    ['adjustment', '', '1', 'other'],
    ['adjustment', '', '-1', 'unknown'],
    ['credit', '', '1', 'other'],
    ['credit', '', '-1', 'unknown'],
    ['custodytransfer', '', '1', 'other'],
    ['custodytransfer', '', '-1', 'unknown'],
    ['none', '', '1', 'unknown'],
    ['never seen', '', '1', 'unknown'],
  ])('of the type %s (subtype "%s") with the amount %s are of the kind %s', async (type, subtype, amount, kind) => {
    answers({ L1: { ...SAMPLE, type, subtype, amount } });
    expect((await movements('USD')).map((movement) => movement.kind)).toEqual([kind]);
  });

  it('include earning forms of the asset, which a withdrawal also debits', async () => {
    answers({
      L3: { ...SAMPLE, type: 'withdrawal', asset: 'XBT.F', amount: '-1' },
      L2: { ...SAMPLE, asset: 'XBT.M' },
      L1: { ...SAMPLE, asset: 'XXBT' },
      L0: { ...SAMPLE, asset: 'XBTX' },
    });
    expect((await movements('BTC')).map(({ id }) => id)).toEqual(['L3', 'L2', 'L1']);
  });

  it('begin at the exact moment, although Kraken takes whole seconds and excludes the first second', async () => {
    const at = SINCE.getTime() / 1000;
    answers({ L2: { ...SAMPLE, time: at }, L1: { ...SAMPLE, time: at - 0.001 } });
    expect((await movements('USD')).map(({ id }) => id)).toEqual(['L2']);
    expect(harness.stub.callsOf('Ledgers')[0]?.params).toMatchObject({ start: String(Math.floor(at) - 1), ofs: '0' });
    expect(harness.stub.callsOf('Ledgers')[0]?.params).not.toHaveProperty('asset');
  });

  it('come from all pages, and later pages exclude entries newer than those of the first page', async () => {
    respondWithPages(() => manyEntries(120));
    expect(await movements('USD')).toHaveLength(120);
    expect(harness.stub.callsOf('Ledgers').map(({ params: { ofs, end } }) => [ofs, end])).toEqual([
      ['0', undefined],
      ['50', '1688464485'],
      ['100', '1688464485'],
    ]);
  });

  it('are complete although a newer entry is booked during the reading', async () => {
    let later: [string, Entry][] = [];
    respondWithPages(() => {
      const all = [...later, ...manyEntries(120)];
      later = [['LATER', { ...SAMPLE, time: 1_688_464_490 }], ...later];
      return all;
    });
    expect(await movements('USD')).toHaveLength(120);
  });

  it('are unavailable when an entry comes twice, because the pages have moved', async () => {
    let page = 0;
    harness.stub.on('Ledgers', () => {
      const ledger = Object.fromEntries(manyEntries(100).slice(page * 49, page * 49 + PAGE));
      page++;
      return result({ ledger, count: 100 });
    });
    await expect(movements('USD')).rejects.toMatchObject(incomplete);
  });

  it('are unavailable when the count differs from page to page', async () => {
    let added = 0;
    respondWithPages(() => manyEntries(100 + added++));
    await expect(movements('USD')).rejects.toMatchObject(incomplete);
  });

  it.each([
    ['more entries than its count', 1],
    ['fewer entries than its count', 3],
  ])('are unavailable when the ledger has %s', async (_what, count) => {
    harness.stub.on('Ledgers', ({ params }) => {
      const { ledger } = documented.Ledgers;
      return result({ ledger: params['ofs'] === '0' ? ledger : {}, count });
    });
    await expect(movements('USD')).rejects.toMatchObject(incomplete);
  });

  it('are unavailable when the ledger has too many pages', async () => {
    respondWithPages(() => manyEntries(1001));
    await expect(movements('USD')).rejects.toMatchObject(incomplete);
    expect(harness.stub.callsOf('Ledgers')).toHaveLength(20);
    respondWithPages(() => manyEntries(1000));
    expect(await movements('USD')).toHaveLength(1000);
  });

  it.each([
    ['an invalid amount', { amount: 'much' }],
    ['no fee', { fee: undefined }],
    ['no time', { time: undefined }],
    ['no type', { type: undefined }],
    ['no asset', { asset: '' }],
  ])('are unavailable when an entry has %s, whatever the asset of the entry is', async (_what, broken) => {
    answers({ L2: { ...SAMPLE, asset: 'ZGBP', ...broken }, L1: SAMPLE });
    await expect(movements('USD')).rejects.toMatchObject(incomplete);
  });

  it.each([
    ['no count', { ledger: {} }],
    ['no ledger', { count: 0 }],
    ['nothing', null],
  ])('are unavailable when the response has %s', async (_what, response) => {
    harness.stub.on('Ledgers', () => result(response));
    await expect(movements('USD')).rejects.toMatchObject(incomplete);
  });

  it.each([
    ['only later movements', { queryFrom: '1688169601' }],
    ['only earlier movements', { queryTo: '1688464484' }],
  ])('are unavailable when the key may read %s', async (_what, window) => {
    harness.stub.on('GetApiKeyInfo', () => result({ ...documented.GetApiKeyInfo, ...window }));
    await expect(movements('USD')).rejects.toMatchObject(incomplete);
  });

  it('fail as permission_missing when the key lacks the permission', async () => {
    harness.stub.on('Ledgers', () => refusal('EGeneral:Permission denied'));
    await expect(movements('USD')).rejects.toMatchObject({ kind: 'permission_missing' });
  });
});
