import fc from 'fast-check';
import { Amount } from '#money';
import type { KrakenRecord } from './kraken-responses.js';
import { toWithdrawal, matcherOf } from './kraken-records.js';

const ADDRESS = '0x7cb275a5e07ba943fee972e165d80daa67cb2dd0';
/** The contract of USDT on Tron (tronscan.org). */
const TRON = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
const GROSS = Amount.of('10');

const sought = {
  asset: 'ETH',
  network: 'ethereum',
  request: { asset: 'XETH', key: 'cold', address: ADDRESS, amount: '10', max_fee: '0.005' },
  clientRef: null,
  exchangeId: null,
  notBefore: new Date(0),
};

function record(rest: Partial<KrakenRecord> = {}): KrakenRecord {
  return {
    refid: 'A2BF34S-O7LBNQ-UE4Y4O',
    asset: 'XETH',
    method: 'Ether',
    network: 'Ethereum',
    txid: null,
    info: ADDRESS,
    key: 'cold',
    amount: Amount.of('9.995'),
    fee: Amount.of('0.005'),
    time: 1530481750,
    status: 'Success',
    'status-prop': null,
    ...rest,
  };
}

describe('a record of Kraken', () => {
  const fits = matcherOf(sought);

  it('matches the request that was sent, whatever the fee inside the amount is', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 9_999_999_999n }), (units) => {
        const fee = Amount.of(`${units}e-9`);
        expect(fits(record({ fee, amount: GROSS.minus(fee) }))).toBe('certain');
      }),
    );
  });

  it.each([
    ['the amount that arrives, without a reported fee', { amount: Amount.of('9.995'), fee: null }],
    ['the amount that arrives, with a fee that was waived', { amount: Amount.of('9.995'), fee: Amount.zero }],
    ['the amount that arrives, with another fee', { fee: Amount.of('0.001') }],
    ['an address in another case of its checksum', { key: null, info: '0x7CB275a5e07ba943fee972e165d80daa67cb2dd0' }],
  ])('is a certain match with %s', (_what, rest) => {
    expect(fits(record(rest))).toBe('certain');
  });

  it.each([
    ['the requested amount, which may be the arriving amount of another withdrawal', { amount: GROSS }],
    ['the address under another key, which may carry another tag', { key: 'colder' }],
    ['neither a key nor an address', { key: null, info: null }],
  ])('is a possible match with %s', (_what, rest) => {
    expect(fits(record(rest))).toBe('possible');
  });

  it('is an `other_form` match with an address that may be another form of the requested one', () => {
    expect(fits(record({ key: null, info: 'xdc7cb275a5e07ba943' }))).toBe('other_form');
  });

  it('is a possible match with an address that may have another tag, if the record has no key', () => {
    const address = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh';
    const ofXrp = matcherOf({ ...sought, asset: 'XRP', network: 'ripple', request: { ...sought.request, address } });
    const rest = { method: 'Ripple XRP', network: 'XRP Ledger', info: address };
    expect(ofXrp(record(rest))).toBe('certain');
    expect(ofXrp(record({ ...rest, key: null }))).toBe('possible');
  });

  it.each([
    ['the same address on another network', { network: 'Arbitrum One' }],
    ['an address in the form of another network, on a network that we do not know', { network: 'New', info: TRON }],
    ['an address in the form of another network, without a network', { method: null, network: null, info: TRON }],
  ])('is an `other_form` match with %s', (_what, rest) => {
    expect(fits(record({ key: null, ...rest }))).toBe('other_form');
  });

  it.each([
    ['another network and its address', { key: null, network: 'Tron', info: TRON }],
    ['another amount', { amount: Amount.of('9.99') }],
    ['another destination', { key: 'hot', info: '0x1111111111111111111111111111111111111111' }],
    ['another key and no address', { key: 'hot', info: null }],
  ])('does not match when it has %s', (_what, rest) => {
    expect(fits(record(rest))).toBeNull();
  });
});

// https://docs.kraken.com/api-reference/funding/withdraw-funds: `amount` is "amount to be withdrawn", fee included.
describe('the arriving amount of a withdrawal at Kraken', () => {
  const arrives = (rest: Partial<KrakenRecord>, request: Record<string, string> = sought.request) =>
    toWithdrawal(record(rest), true, request).amountNoFee?.toString();

  it.each([
    ['the net amount and the fee, as documented', { amount: Amount.of('9.99'), fee: Amount.of('0.01') }, '9.99'],
    ['the net amount of the quote and another fee', { amount: Amount.of('9.995'), fee: Amount.of('0.01') }, '9.99'],
    ['the requested amount and the fee', { amount: GROSS, fee: Amount.of('0.005') }, '9.995'],
    ['the net amount and no fee', { amount: Amount.of('9.995'), fee: null }, '9.995'],
  ])('is the debited amount minus the fee, when the record has %s', (_how, rest, expected) => {
    expect(arrives(rest)).toBe(expected);
  });

  it('is the amount of the record when the request is unknown', () => {
    expect(arrives({ amount: Amount.of('9.99'), fee: Amount.of('0.005') }, {})).toBe('9.99');
  });
});

describe('the status of a withdrawal at Kraken', () => {
  it.each([
    ['Initial', null, 'pending'],
    ['Pending', null, 'pending'],
    ['EarlyConfirmed', null, 'pending'],
    ['Settled', null, 'pending'],
    ['Success', null, 'completed'],
    ['Failure', null, 'failed'],
    ['Failure', 'canceled', 'canceled'],
    ['Initial', 'canceled', 'pending'],
    ['Pending', 'cancel-pending', 'pending'],
    ['Success', 'cancel-denied', 'completed'],
    ['Success', 'return', 'completed'],
    ['Success', 'canceled', 'unknown'],
    ['Failure', 'cancel-pending', 'pending'],
    ['Success', 'onhold', 'pending'],
    ['Partial', null, 'unknown'],
    ['Something new', null, 'unknown'],
    ['', null, 'unknown'],
  ])('%s with property %s is %s', (status, property, expected) => {
    expect(toWithdrawal(record({ status, 'status-prop': property }), true, {}).status).toBe(expected);
  });

  it('comes with the exchange’s own status and property', () => {
    const { rawStatus } = toWithdrawal(record({ status: 'Failure', 'status-prop': 'canceled' }), true, {});
    expect(rawStatus).toBe('Failure (canceled)');
  });
});
