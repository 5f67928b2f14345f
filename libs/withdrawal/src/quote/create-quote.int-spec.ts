import pg from 'pg';
import { ADDRESS_LENGTH_MAX } from '#exchange';
import { publishPrices } from '#market/testing';
import { Amount } from '#money';
import { CreateQuote } from './create-quote.js';
import { GetFeeInfo, type FeeQuestion } from './fee-info.js';
import type { QuoteRequest } from './quote-checks.js';
import { Quote } from './quote.entity.js';
import { ADDRESS, network, WithdrawalHarness } from '../testing/index.js';

describe('a new quote', () => {
  let harness: WithdrawalHarness;
  beforeAll(async () => {
    harness = await WithdrawalHarness.create();
    harness.exchange.networks.push(network('XRP', 'ripple', '^r.{24,34}$', 'destinationTag'));
  });
  afterAll(() => harness.close());
  beforeEach(async () => {
    harness.exchange.isDown = false;
    harness.clock.wallErrorMs = 0;
    harness.exchange.hasWithdrawals = true;
    harness.exchange.estimated = {};
    await harness.newWallet();
  });

  const create = (values: Partial<QuoteRequest> = {}) =>
    harness.get(CreateQuote).execute(harness.project, harness.wallet.externalId, {
      asset: 'BTC',
      network: undefined,
      address: ADDRESS,
      tag: undefined,
      amount: Amount.of('1'),
      includeFee: false,
      ...values,
    });

  it('has the fee on top of the amount, or inside it, as the caller chooses', async () => {
    const onTop = await create({ includeFee: false });
    expect([onTop.amountNoFee, onTop.fee, onTop.amountWithFee].map(String)).toEqual(['1', '0.0001', '1.0001']);
    const inside = await create({ includeFee: true });
    expect([inside.amountNoFee, inside.fee, inside.amountWithFee].map(String)).toEqual(['0.9999', '0.0001', '1']);
  });

  it('can be executed, and expires after five minutes', async () => {
    const quote = await create();
    const answer = await harness.execute(quote);
    expect(await harness.transactionStatus(answer)).toBe('pending');
    expect(quote.expiresAt.getTime() - quote.createdAt.getTime()).toBe(300_000);
  });

  it("begins and ends by the database's clock, not by the host's", async () => {
    harness.clock.wallErrorMs = -4_000;
    const quote = await create();
    expect(quote.createdAt).toEqual(harness.clock.trueNow());
    expect(quote.expiresAt.getTime() - harness.clock.trueNow().getTime()).toBe(300_000);
  });

  it.each([-3_600_000, 5_001])('is refused on a host whose clock is %i ms off', async (errorMs) => {
    harness.clock.wallErrorMs = errorMs;
    await expect(create()).rejects.toMatchObject({
      code: 'WITHDRAWAL_PROVIDER_ERROR',
      details: { result: { reason: 'host_clock_differs' } },
    });
    expect(await harness.db.repository(Quote).countBy({ walletId: harness.wallet.id })).toBe(0);
  });

  it('accepts the longest addresses that a body may contain', async () => {
    harness.exchange.networks.push(network('BTC', 'near', '^b+$', null));
    const address = 'b'.repeat(ADDRESS_LENGTH_MAX);
    expect(await create({ network: 'near', address })).toMatchObject({ address });
    harness.exchange.networks.pop();
  });

  it('is accepted for a Lightning invoice only if the receiver gets exactly the amount of the invoice', async () => {
    harness.exchange.networks.push(network('BTC', 'lightning', '^lnbc.+$', null));
    // The example of BOLT 11 for 2500 micro-bitcoin.
    const address =
      'lnbc2500u1pvjluezpp5qqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqypqdq5xysxxatsyp3k7enxv4jsxqzpuaztrnwngzn3kdzw5hydlzf03qdgm2hdq27cqv3agm2awhz5se903vruatfhq77w3ls4evs3ch9zw97j25emudupq63nyw24cg27h2rspfj9srp';
    const invoice = { network: 'lightning', address };
    expect(await create({ ...invoice, amount: Amount.of('0.0025') })).toMatchObject({ address });
    expect(await create({ ...invoice, amount: Amount.of('0.0026'), includeFee: true })).toMatchObject({ address });
    for (const values of [{ amount: Amount.of('0.0026') }, { amount: Amount.of('0.0025'), includeFee: true }]) {
      await expect(create({ ...invoice, ...values })).rejects.toMatchObject({
        code: 'WITHDRAWAL_INVALID_ADDRESS',
        details: { result: { reason: 'invoice_amount' } },
      });
    }
    harness.exchange.networks.pop();
  });

  it('stores its value in US dollars, and its execution stores the same value', async () => {
    await publishPrices(harness.get, 'kraken', { BTC: '64000.1' });
    const quote = await create();
    expect(quote.priceUsd?.toString()).toBe('64000.1');
    expect(quote.feeDetails).toMatchObject([{ currency: 'BTC', amount: '0.0001', amountInFiat: '6.40001' }]);
    harness.clock.advance(1_000);
    await publishPrices(harness.get, 'kraken', { BTC: '1' });
    expect((await create()).priceUsd?.toString()).toBe('1');
    const { transactionId } = await harness.execute(quote);
    const rows = await harness.db.query(
      `select trim_scale(amount_in_fiat) as amount, trim_scale(fee_in_fiat) as fee, fiat_currency as currency
       from transactions where id = $1`,
      [transactionId],
    );
    expect(rows).toEqual([{ amount: '64000.1', fee: '6.40001', currency: 'USD' }]);
  });

  it('has no value in US dollars when no recent price is known', async () => {
    await publishPrices(harness.get, 'kraken', { BTC: '64000.1' });
    harness.clock.advance(300_001);
    const quote = await create();
    expect(quote.priceUsd).toBeNull();
    expect(quote.feeDetails).toEqual([{ category: 'exchange_withdrawal_fee', currency: 'BTC', amount: '0.0001' }]);
    const { transactionId } = await harness.execute(quote);
    const rows = await harness.db.query(
      `select amount_in_fiat, fee_in_fiat, fiat_currency from transactions where id = $1`,
      [transactionId],
    );
    expect(rows).toEqual([{ amount_in_fiat: null, fee_in_fiat: null, fiat_currency: null }]);
  });

  it.each<[string, Partial<QuoteRequest>]>([
    ['WITHDRAWAL_ASSET_NOT_SUPPORTED', { asset: 'NOPE', network: 'nowhere', address: 'x' }],
    ['WITHDRAWAL_NETWORK_NOT_SUPPORTED', { network: 'nowhere', address: 'x', amount: Amount.of('0.0000000001') }],
    ['WITHDRAWAL_INVALID_ADDRESS', { network: 'bitcoin', address: 'x', tag: '1' }],
    ['GENERIC_VALIDATION_ERROR', { tag: '1', amount: Amount.of('0.0000000001') }],
    ['GENERIC_VALIDATION_ERROR', { amount: Amount.of('0.0000000001') }],
    ['WITHDRAWAL_AMOUNT_BELOW_MINIMUM', { amount: Amount.of('0.0008') }],
    ['WITHDRAWAL_AMOUNT_ABOVE_MAXIMUM', { amount: Amount.of('101') }],
    ['WITHDRAWAL_INSUFFICIENT_BALANCE', { amount: Amount.of('11') }],
    ['WITHDRAWAL_INSUFFICIENT_BALANCE_FOR_FEE', { amount: Amount.of('10') }],
  ])('reports %s before the errors of later checks', async (code, values) => {
    await expect(create(values)).rejects.toMatchObject({ code });
  });

  it('requires a tag or `tag: null` when an earlier quote to the same address had a tag', async () => {
    harness.exchange.networks.push(network('BTC', 'ripple', '^r.{24,34}$', 'destinationTag'));
    const receiver = { network: 'ripple', address: 'rEb8TK3gBgk5auZkwc6sHnwrGVJH8DuaLh' };
    const first = await create(receiver);
    expect(first.requirements).toMatchObject([{ type: 'tag' }]);
    await create({ ...receiver, tag: '42' });
    await expect(create(receiver)).rejects.toMatchObject({ details: { result: { fields: [{ field: 'tag' }] } } });
    expect((await create({ ...receiver, tag: null })).requirements).toEqual([]);
    harness.exchange.networks.pop();
  });

  it('is read back from the database as it was returned', async () => {
    const quote = await create({ includeFee: true });
    const [stored] = await harness.db.repository(Quote).findBy({ id: quote.id });
    expect(stored).toEqual(quote);
  });

  it('cannot be changed', async () => {
    const { id } = await create();
    const owner = new pg.Client(harness.ownerUrl);
    await owner.connect();
    await expect(owner.query(`update quotes set fee = 0 where id = $1`, [id])).rejects.toThrow(/immutable/);
    await owner.end();
  });

  it('never outlives the estimate of the exchange', async () => {
    const soon = new Date(harness.clock.now().getTime() + 20_000);
    harness.exchange.estimated = { expiresAt: soon };
    expect((await create()).expiresAt).toEqual(soon);
    harness.exchange.estimated = { expiresAt: harness.clock.now() };
    await expect(create()).rejects.toMatchObject({ details: { result: { reason: 'estimate_expired' } } });
  });

  it('is refused when the exchange would move another amount than requested', async () => {
    harness.exchange.estimated = { amountNoFee: Amount.of('0.99999999'), amountWithFee: Amount.of('1.00009999') };
    await expect(create()).rejects.toMatchObject({ details: { result: { reason: 'amount_differs' } } });
    expect(await harness.db.repository(Quote).countBy({ walletId: harness.wallet.id })).toBe(0);
  });

  it.each([
    ['WITHDRAWAL_AMOUNT_BELOW_MINIMUM', { minWithdrawal: Amount.of('1.00010001') }],
    ['WITHDRAWAL_AMOUNT_ABOVE_MAXIMUM', { maxWithdrawal: Amount.of('1.00009999') }],
  ])('is refused with %s when only the estimate states the bound that the debit breaks', async (code, bound) => {
    harness.exchange.estimated = bound;
    await expect(create()).rejects.toMatchObject({ code });
  });

  it('may debit exactly the maximum of the network, with the fee inside the amount and not on top', async () => {
    harness.exchange.balance = Amount.of('200');
    const [amount, inside] = [Amount.of('100'), await create({ amount: Amount.of('100'), includeFee: true })];
    expect(inside.amountWithFee).toEqual(amount);
    await expect(create({ amount })).rejects.toMatchObject({ code: 'WITHDRAWAL_AMOUNT_ABOVE_MAXIMUM' });
    harness.exchange.balance = Amount.of('10');
  });

  it.each(['BTC', 'XRP', 'NOPE'])('is refused for the asset %s at an exchange without withdrawals', async (asset) => {
    harness.exchange.hasWithdrawals = false;
    await expect(create({ asset })).rejects.toMatchObject({
      code: 'WITHDRAWAL_ASSET_NOT_SUPPORTED',
      message: 'This service makes no withdrawals from kraken: withdraw on the exchange’s own site',
    });
    expect(await harness.db.repository(Quote).countBy({ walletId: harness.wallet.id })).toBe(0);
  });

  it('is refused for a wallet of another project', async () => {
    const stranger = { ...harness.project, id: harness.clock.newId() };
    const request = { asset: 'BTC', network: undefined, address: ADDRESS, tag: undefined, amount: Amount.of('1') };
    await expect(
      harness.get(CreateQuote).execute(stranger, harness.wallet.externalId, { ...request, includeFee: false }),
    ).rejects.toMatchObject({ code: 'WALLET_NOT_FOUND' });
  });

  it('is refused with a provider error while the exchange cannot be queried', async () => {
    harness.exchange.isDown = true;
    await expect(create()).rejects.toMatchObject({ code: 'WITHDRAWAL_PROVIDER_ERROR' });
  });
});

describe('fees without a quote', () => {
  let harness: WithdrawalHarness;
  beforeAll(async () => {
    harness = await WithdrawalHarness.create();
    harness.exchange.networks.push({ ...network('BTC', 'lightning', '^ln.+$', null), fee: null });
  });
  afterAll(() => harness.close());
  afterEach(() => {
    harness.exchange.hasWithdrawals = true;
    harness.exchange.estimated = {};
  });

  const ask = async (question: FeeQuestion) =>
    (await harness.get(GetFeeInfo).execute(harness.project, harness.wallet.externalId, question)).networks;
  const read = async (question: FeeQuestion) =>
    (await ask(question)).map(({ network: { id }, fee, isFixed }) => [id, fee?.toString(), isFixed]);
  const problems = async (amount: string) =>
    (await ask({ asset: 'BTC', amount: Amount.of(amount) })).map(({ fee, amountProblem }) => [
      fee?.toString(),
      amountProblem,
    ]);

  it('come from the price list, for all networks or for the named network', async () => {
    expect(await read({ asset: 'btc' })).toEqual([
      ['bitcoin', '0.0001', true],
      ['lightning', undefined, false],
    ]);
    expect(await read({ asset: 'BTC', network: 'BTC' })).toEqual([['bitcoin', '0.0001', true]]);
  });

  it('are estimated by the exchange for the amount where the price list has no fee', async () => {
    harness.exchange.estimated = {
      fee: Amount.of('0.0003'),
      amountWithFee: Amount.of('1.0003'),
      amountNoFee: Amount.of('1'),
    };
    expect(await read({ asset: 'BTC', amount: Amount.of('1') })).toEqual([
      ['bitcoin', '0.0001', true],
      ['lightning', '0.0003', false],
    ]);
  });

  it('are null where the exchange refuses to estimate', async () => {
    harness.exchange.refusesEstimates = true;
    expect(await problems('1')).toEqual([
      ['0.0001', null],
      [undefined, null],
    ]);
    harness.exchange.refusesEstimates = false;
  });

  it.each([
    ['0.0008', 'below_minimum'],
    ['100', 'above_maximum'],
    ['100.0001', 'above_maximum'],
    ['1.123456789', 'too_many_decimals'],
  ])('that depend on the amount are unknown for the amount %s, with the reason %s', async (amount, problem) => {
    expect(await problems(amount)).toEqual([
      ['0.0001', problem],
      [undefined, problem],
    ]);
  });

  it('are returned from the price list for an amount that reaches the minimum only with the fee', async () => {
    expect(await problems('0.0009')).toEqual([
      ['0.0001', null],
      [undefined, 'below_minimum'],
    ]);
  });

  it('are refused when the exchange estimates another amount than the requested one', async () => {
    harness.exchange.estimated = {
      fee: Amount.of('0.0003'),
      amountWithFee: Amount.of('1'),
      amountNoFee: Amount.of('0.9997'),
    };
    await expect(problems('1')).rejects.toMatchObject({ code: 'WITHDRAWAL_PROVIDER_ERROR' });
  });

  it.each<[string, FeeQuestion]>([
    ['INFO_ASSET_REQUIRED', {}],
    ['INFO_ASSET_REQUIRED', { asset: '' }],
    ['GENERIC_NOT_FOUND', { asset: 'NOPE' }],
    ['WITHDRAWAL_NETWORK_NOT_SUPPORTED', { asset: 'BTC', network: 'tron' }],
  ])('are refused with %s for %j', async (code, question) => {
    await expect(read(question)).rejects.toMatchObject({ code });
  });

  it('are not supported where the exchange has no withdrawals', async () => {
    harness.exchange.hasWithdrawals = false;
    await expect(read({ asset: 'BTC' })).rejects.toMatchObject({ code: 'INFO_FEE_EXCHANGE_NOT_SUPPORTED' });
  });
});
