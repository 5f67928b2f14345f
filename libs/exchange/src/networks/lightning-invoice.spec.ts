import { invoiceAmount } from './lightning-invoice.js';

const DATA = 'pvjluezpp5qqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqypq';

describe('the amount of a Lightning invoice', () => {
  /** The prefixes of the examples of BOLT 11, and one for each remaining multiplier. */
  it.each([
    ['lnbc2500u', '0.0025'],
    ['lnbc20m', '0.02'],
    ['lnbc25m', '0.025'],
    ['lnbc9678785340p', '0.00967878534'],
    ['lnbc1n', '0.000000001'],
    ['lnbc10p', '0.00000000001'],
    ['lnbc1', '1'],
    ['lnbc21', '21'],
    ['lnbc11m', '0.011'],
  ])('with the prefix %s is %s BTC', (prefix, amount) => {
    expect(invoiceAmount(`${prefix}1${DATA}`)?.toString()).toBe(amount);
  });

  it.each([
    ['lnbc', 'has no amount'],
    ['lntb20m', 'is of the test network'],
    ['lntbs20m', 'is of the signet'],
    ['lnbcrt20m', 'is of a regression test'],
    ['lnbc0m', 'has the amount zero'],
    ['lnbc02500u', 'has a leading zero'],
    ['lnbc2500x', 'has an unknown multiplier'],
    ['lnbc2.5m', 'has a point'],
    [`lnbc${'9'.repeat(19)}`, 'has a number that is too long'],
    ['LNBC20M', 'is in capitals, which the rule of the network does not allow'],
    ['bc', 'is an address'],
  ])('with the prefix %s is not known: it %s', (prefix) => {
    expect(invoiceAmount(`${prefix}1${DATA}`)).toBeNull();
  });

  it('is not read from the data of an invoice without an amount', () => {
    for (const text of ['lnbc1p54twgqsp5hf3', 'lnbc120m', 'lnbc1']) expect(invoiceAmount(text)).toBeNull();
  });
});
