import { Amount } from '#money';
import { CreateQuote } from './create-quote.js';
import { GetFeeInfo } from './fee-info.js';
import type { QuoteWish } from './quote-checks.js';
import { ADDRESS, network, WithdrawalBed } from './testing/index.js';
import { WithdrawableBalance } from './withdrawable-balance.js';

describe('quoting', () => {
  let bed: WithdrawalBed;
  beforeAll(async () => {
    bed = await WithdrawalBed.create();
    bed.venue.networks.push(network('XRP', 'ripple', '^r.{24,34}$', 'destinationTag'));
  });
  afterAll(() => bed.close());
  beforeEach(async () => {
    bed.venue.isDown = false;
    await bed.newWallet();
  });

  const create = (values: Partial<QuoteWish> = {}) =>
    bed.get(CreateQuote).execute(bed.project, bed.wallet.walletId, {
      asset: 'BTC',
      network: undefined,
      address: ADDRESS,
      tag: undefined,
      amount: Amount.of('1'),
      includeFee: false,
      ...values,
    });

  it('adds the fee on top, or takes it out of the amount, as the caller says', async () => {
    const onTop = await create({ includeFee: false });
    expect([onTop.amountNoFee, onTop.fee, onTop.amountWithFee].map(String)).toEqual(['1', '0.0001', '1.0001']);
    const inside = await create({ includeFee: true });
    expect([inside.amountNoFee, inside.fee, inside.amountWithFee].map(String)).toEqual(['0.9999', '0.0001', '1']);
  });

  it('is stored as it was told, and can be executed', async () => {
    const quote = await create();
    const answer = await bed.execute(quote);
    expect(await bed.transactionStatus(answer)).toBe('pending');
    expect(quote.expiresAt.getTime() - quote.createdAt.getTime()).toBe(300_000);
  });

  it.each<[string, Partial<QuoteWish>]>([
    ['WITHDRAWAL_ASSET_NOT_SUPPORTED', { asset: 'NOPE', network: 'nowhere', address: 'x' }],
    ['WITHDRAWAL_NETWORK_NOT_SUPPORTED', { network: 'nowhere', address: 'x', amount: Amount.of('0.0000000001') }],
    ['WITHDRAWAL_INVALID_ADDRESS', { network: 'bitcoin', address: 'x', tag: '1' }],
    ['GENERIC_VALIDATION_ERROR', { tag: '1', amount: Amount.of('0.0000000001') }],
    ['GENERIC_VALIDATION_ERROR', { amount: Amount.of('0.0000000001') }],
    ['WITHDRAWAL_AMOUNT_BELOW_MINIMUM', { amount: Amount.of('0.0008') }],
    ['WITHDRAWAL_AMOUNT_ABOVE_MAXIMUM', { amount: Amount.of('101') }],
    ['WITHDRAWAL_INSUFFICIENT_BALANCE', { amount: Amount.of('11') }],
    ['WITHDRAWAL_INSUFFICIENT_BALANCE_FOR_FEE', { amount: Amount.of('10') }],
  ])('answers %s before what comes after it', async (code, values) => {
    await expect(create(values)).rejects.toMatchObject({ code });
  });

  it('does not lose a tag that an earlier quote to the same address carried', async () => {
    bed.venue.networks.push(network('BTC', 'ripple', '^r.{24,34}$', 'destinationTag'));
    await bed.newWallet();
    const receiver = { network: 'ripple', address: 'rEb8TK3gBgk5auZkwc6sHnwrGVJH8DuaLh' };
    const first = await create(receiver);
    expect(first.requirements).toMatchObject([{ type: 'tag' }]);
    await create({ ...receiver, tag: '42' });
    await expect(create(receiver)).rejects.toMatchObject({ details: { result: { fields: [{ field: 'tag' }] } } });
    expect((await create({ ...receiver, tag: null })).requirements).toEqual([]);
    bed.venue.networks.pop();
  });

  it('says that the exchange is the trouble when it is', async () => {
    bed.venue.isDown = true;
    await expect(create()).rejects.toMatchObject({ code: 'WITHDRAWAL_PROVIDER_ERROR' });
  });
});

describe('what can be withdrawn', () => {
  let bed: WithdrawalBed;
  beforeAll(async () => (bed = await WithdrawalBed.create()));
  afterAll(() => bed.close());

  it('is asked anew unless what is stored is fresh enough', async () => {
    const read = (refreshAfterMinutes: number) =>
      bed.get(WithdrawableBalance).execute(bed.project, bed.wallet.walletId, { refreshAfterMinutes, autoDelete: true });
    bed.venue.balance = Amount.of('10');
    const first = await read(0);
    expect(first.balances.map(({ balance, networks }) => [balance.asset, networks.length])).toEqual([['BTC', 1]]);
    bed.venue.balance = Amount.of('7');
    bed.clock.advance(60_000);
    expect((await read(5)).balances[0]?.balance.free.toString()).toBe('10');
    expect((await read(1)).balances[0]?.balance.free.toString()).toBe('7');
    expect((await read(5)).lastSyncAt).toEqual(bed.clock.now());
  });

  it('has fees that can be read without a quote', async () => {
    const read = (query: { asset?: string; network?: string }) =>
      bed.get(GetFeeInfo).execute(bed.project, bed.wallet.walletId, query);
    expect((await read({ asset: 'btc' })).networks.map(({ id }) => id)).toEqual(['bitcoin']);
    expect((await read({ asset: 'BTC', network: 'BTC' })).networks).toHaveLength(1);
    await expect(read({})).rejects.toMatchObject({ code: 'INFO_ASSET_REQUIRED' });
    await expect(read({ asset: 'NOPE' })).rejects.toMatchObject({ code: 'GENERIC_NOT_FOUND' });
    await expect(read({ asset: 'BTC', network: 'tron' })).rejects.toMatchObject({
      code: 'WITHDRAWAL_NETWORK_NOT_SUPPORTED',
    });
  });
});
