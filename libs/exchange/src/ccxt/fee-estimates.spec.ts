import { feeEstimatesOf } from './fee-estimates.js';

describe('the estimates of withdrawal fees', () => {
  it.each([
    ['', 'bitmart', {}],
    ['sandbox:BTC:bitcoin=0.0001', 'kraken', {}],
    ['sandbox:BTC:bitcoin=0.0001,kraken:BTC:bitcoin=9', 'sandbox', { 'BTC:bitcoin': '0.0001' }],
    ['sandbox:BTC:bitcoin=0.0001,kraken:BTC:bitcoin=9', 'kraken', { 'BTC:bitcoin': '9' }],
    ['krakenfutures:BTC:bitcoin=9', 'kraken', {}],
    [
      'sandbox:USDC:base=0.020000000000000001, sandbox:ETH:ethereum=0',
      'sandbox',
      { 'USDC:base': '0.020000000000000001', 'ETH:ethereum': '0' },
    ],
  ])('in the setting %j apply to %s only when they begin with its id', (setting, exchange, expected) => {
    const found = [...feeEstimatesOf(exchange, setting)].map(([key, fee]) => [key, fee.toString()]);
    expect(Object.fromEntries(found)).toEqual(expected);
  });
});
