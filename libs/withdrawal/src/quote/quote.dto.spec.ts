import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { FeeInfoQuery, toFeeInfoResponse } from './fee-info.dto.js';
import { CreateQuoteRequest, toQuoteResponse, toQuoteRequest } from './quote.dto.js';
import { Quote } from './quote.entity.js';
import { toWithdrawableBalanceResponse, WithdrawableBalanceQuery } from './withdrawable-balance.dto.js';
import {
  ADDRESS_LENGTH_MAX,
  ASSET_LENGTH_MAX,
  NETWORK_LENGTH_MAX,
  type AssetBalance,
  type WithdrawalNetwork,
} from '#exchange';
import { Amount } from '#money';

/** The names of the refused members. */
function refused<T extends object>(type: new () => T, given: object): string[] {
  return validateSync(plainToInstance(type, given)).map(({ property }) => property);
}

const body = { asset: 'BTC', amount: '0.01', address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4' };

describe('the body of a quote', () => {
  it('needs asset, amount and address, and nothing else', () => {
    expect(refused(CreateQuoteRequest, body)).toEqual([]);
    expect(refused(CreateQuoteRequest, {}).sort()).toEqual(['address', 'amount', 'asset']);
  });

  it.each([
    '0',
    '0.000',
    '-1',
    '+1',
    '1e2',
    '1e9000000',
    'NaN',
    'Infinity',
    '.5',
    '1.',
    ' 1',
    '1 ',
    '1\n',
    '１',
    '0x1',
    '',
  ])('refuses the amount %j', (amount) => expect(refused(CreateQuoteRequest, { ...body, amount })).toEqual(['amount']));

  it.each([1, null, true, ['1'], { toString: '1' }])('refuses the amount %j, which is not a string', (amount) => {
    expect(refused(CreateQuoteRequest, { ...body, amount })).toEqual(['amount']);
  });

  it.each([
    ['includeFee', 'true'],
    ['network', 1],
    ['network', 'a'.repeat(NETWORK_LENGTH_MAX + 1)],
    ['tag', 1],
    ['tag', ''],
    ['tag', ' 1'],
    ['tag', 'a'.repeat(257)],
    ['address', ''],
    ['address', 'a'.repeat(ADDRESS_LENGTH_MAX + 1)],
    ['asset', ''],
    ['asset', 'a'.repeat(ASSET_LENGTH_MAX + 1)],
  ])('refuses %s %j', (field, value) => {
    expect(refused(CreateQuoteRequest, { ...body, [field]: value })).toEqual([field]);
  });

  it('distinguishes a tag that is left out from the tag null', () => {
    const wishOf = (given: object) => toQuoteRequest(plainToInstance(CreateQuoteRequest, given));
    expect(wishOf(body)).toMatchObject({ tag: undefined, includeFee: false, network: undefined });
    expect(wishOf({ ...body, tag: null })).toMatchObject({ tag: null });
    expect(wishOf({ ...body, asset: 'btc' })).toMatchObject({ asset: 'btc' });
  });
});

describe('the response of a quote', () => {
  it('has each amount as a JSON number and as an exact decimal string', () => {
    const quote = Object.assign(new Quote(), {
      amountNoFee: Amount.of('0.123456789012345678'),
      fee: Amount.of('0.000000000000000001'),
      amountWithFee: Amount.of('0.123456789012345679'),
      feeDetails: [{ category: 'network_fee', currency: 'ETH', amount: '0.000000000000000001' }],
      requirements: [],
      minWithdrawal: null,
      maxWithdrawal: Amount.of('5'),
      priceUsd: null,
      expiresAt: new Date(1_767_269_100_000),
    });
    expect(toQuoteResponse(quote)).toMatchObject({
      amountNoFee: 0.12345678901234568,
      estimatedFee: 1e-18,
      feeDetails: [{ amount: 1e-18, exact: { amount: '0.000000000000000001' } }],
      expiresAt: 1_767_269_100_000,
      additionalInfo: { minWithdrawal: null, maxWithdrawal: '5' },
      exact: {
        amountNoFee: '0.123456789012345678',
        estimatedFee: '0.000000000000000001',
        amountWithFee: '0.123456789012345679',
        estimatedTotal: '0.123456789012345679',
      },
    });
  });

  const priced = (priceUsd: Amount | null, amountInFiat?: string): object => {
    const feeDetails = [{ category: 'network_fee', currency: 'ETH', amount: '0.01', amountInFiat }];
    const [amountNoFee, fee, amountWithFee] = [Amount.of('1'), Amount.of('0.01'), Amount.of('1.01')];
    const rest = { requirements: [], minWithdrawal: null, maxWithdrawal: null, expiresAt: new Date() };
    const quote = Object.assign(new Quote(), { amountNoFee, fee, amountWithFee, feeDetails, priceUsd, ...rest });
    return JSON.parse(JSON.stringify(toQuoteResponse(quote))) as object;
  };

  it('has the values of the amounts in US dollars', () => {
    expect(priced(Amount.of('3000.5'), '30.005')).toMatchObject({
      amountWithFeeInFiat: 3030.505,
      amountNoFeeInFiat: 3000.5,
      estimatedFeeInFiat: 30.005,
      feeDetails: [{ amountInFiat: 30.005, fiatCurrency: 'USD', exact: { amount: '0.01', amountInFiat: '30.005' } }],
      exact: { amountWithFeeInFiat: '3030.505', amountNoFeeInFiat: '3000.5', estimatedFeeInFiat: '30.005' },
    });
  });

  it('has no values in US dollars where no price was known', () => {
    expect(JSON.stringify(priced(null))).not.toMatch(/fiat/i);
  });
});

describe('the response of the withdrawable balance', () => {
  const balance = { asset: 'ETH', free: Amount.of('1.000000000000000001'), used: Amount.zero, total: Amount.of('2') };
  const entryOf = (amountInFiat: Amount | null, more: Partial<AssetBalance> = {}) => {
    const entry = { balance: { ...balance, ...more }, amountInFiat, networks: [] };
    const facts = { lastSyncAt: new Date(0), storedAt: null, balances: [entry], unread: [] };
    return JSON.parse(JSON.stringify(toWithdrawableBalanceResponse(facts).balances[0])) as object;
  };

  it('states as the amount only what can be withdrawn, and lists what other accounts hold', () => {
    const more = {
      withdrawable: Amount.of('0.25'),
      elsewhere: [{ account: 'trading', kind: 'free' as const, amount: Amount.of('0.750000000000000001') }],
    };
    expect(entryOf(null, more)).toEqual({
      asset: 'ETH',
      amount: 0.25,
      elsewhere: [{ account: 'trading', kind: 'free', amount: '0.750000000000000001' }],
      networks: [],
      exact: { amount: '0.25' },
    });
  });

  it('has each amount as a number and as an exact string', () => {
    expect(entryOf(null)).toEqual({
      asset: 'ETH',
      amount: 1,
      networks: [],
      exact: { amount: '1.000000000000000001' },
    });
    expect(entryOf(Amount.of('3000.12345678'))).toMatchObject({
      amountInFiat: 3000.12345678,
      exact: { amount: '1.000000000000000001', amountInFiat: '3000.12345678' },
    });
  });
});

describe('the fees of a network', () => {
  it('have exact decimal strings, and null for a fee and a maximum that are not known', () => {
    const network: WithdrawalNetwork = {
      asset: 'ETH',
      id: 'ethereum',
      name: 'Ethereum',
      displayName: 'Ether',
      assetName: 'XETH',
      exchangeNetworkId: 'Ether',
      chainId: 'eip155:1',
      tokenAddress: null,
      addressRegex: '^0x[0-9a-f]{40}$',
      tagType: null,
      decimals: 18,
      minWithdrawal: Amount.of('1e-18'),
      maxWithdrawal: null,
      fee: Amount.of('1e-18'),
      feeAsset: 'ETH',
    };
    const fees = { network, fee: network.fee, isFixed: true, amountProblem: null };
    const unknown = { ...fees, network: { ...network, minWithdrawal: null, fee: null }, fee: null, isFixed: false };
    const info = { asset: 'ETH', exchange: 'kraken', networks: [fees, unknown] };
    expect(toFeeInfoResponse(info).networks).toMatchObject([
      {
        fee: 1e-18,
        feeType: 'fixed',
        minimumWithdrawal: 1e-18,
        maximumWithdrawal: null,
        exact: { fee: '0.000000000000000001', minimumWithdrawal: '0.000000000000000001', maximumWithdrawal: null },
      },
      {
        fee: null,
        feeType: 'variable',
        minimumWithdrawal: 0,
        maximumWithdrawal: null,
        exact: { fee: null, minimumWithdrawal: '0', maximumWithdrawal: null },
      },
    ]);
  });
});

describe('the query of the withdrawable balance', () => {
  const read = (given: object) => plainToInstance(WithdrawableBalanceQuery, given);

  it('sets autoDeleteIfInvalid by default, but no balanceRefreshThreshold', () => {
    expect(read({})).toEqual({ autoDeleteIfInvalid: true });
    expect(read({ balanceRefreshThreshold: '15', autoDeleteIfInvalid: 'false' })).toEqual({
      balanceRefreshThreshold: 15,
      autoDeleteIfInvalid: false,
    });
  });

  it.each([
    ['balanceRefreshThreshold', '-1'],
    ['balanceRefreshThreshold', '1.5'],
    ['balanceRefreshThreshold', '1e2'],
    ['balanceRefreshThreshold', ''],
    ['balanceRefreshThreshold', '9'.repeat(400)],
    ['autoDeleteIfInvalid', '1'],
    ['autoDeleteIfInvalid', ''],
  ])('refuses %s %j', (field, value) => {
    expect(refused(WithdrawableBalanceQuery, { [field]: value })).toEqual([field]);
  });
});

describe('the query of the fee information', () => {
  it('accepts a missing or empty asset, which INFO_ASSET_REQUIRED reports later', () => {
    expect(refused(FeeInfoQuery, {})).toEqual([]);
    expect(refused(FeeInfoQuery, { asset: '' })).toEqual([]);
  });

  it.each([
    ['asset', 'a'.repeat(ASSET_LENGTH_MAX + 1)],
    ['network', ''],
    ['amount', '0'],
    ['amount', '1e3'],
  ])('refuses %s %j', (field, value) => {
    expect(refused(FeeInfoQuery, { asset: 'BTC', [field]: value })).toEqual([field]);
  });
});
