import { InvalidConfig } from '#platform/config';
import { assertFeeEstimates, feeEstimatesOf } from './fee-estimates.js';

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

  it.each(['', 'coinbase:BTC:bitcoin=0.0001', 'coinbase:BTC:bitcoin=0.0001,coinbase:ETH:base=0,other:BTC:bitcoin=1'])(
    'in the setting "%s" are accepted',
    (setting) => {
      expect(() => assertFeeEstimates(setting, ['coinbase', 'other'])).not.toThrow();
    },
  );

  it.each([
    ['coinbas:BTC:bitcoin=0.1', /coinbas:BTC:bitcoin names no exchange that needs estimates; use coinbase$/],
    ['kraken:BTC:bitcoin=0.1', /kraken:BTC:bitcoin names no exchange that needs estimates; use coinbase$/],
    ['coinbase:BTC:bitcon=0.1', /coinbase:BTC:bitcon names an unknown network; use one of bitcoin, .*ethereum, /],
    ['coinbase:USDC:erc20=0.1', /coinbase:USDC:erc20 names an unknown network; use one of /],
    ['coinbase:BTC:bitcoin=0.1,coinbase:BTC:bitcoin=1', /coinbase:BTC:bitcoin has more than one fee; state one$/],
  ])('in the setting "%s" are refused, because they would be without effect', (setting, problem) => {
    expect(() => assertFeeEstimates(setting, ['coinbase'])).toThrow(InvalidConfig);
    expect(() => assertFeeEstimates(setting, ['coinbase'])).toThrow(problem);
  });

  it('are refused with all of their problems', () => {
    expect(() => assertFeeEstimates('kraken:BTC:bitcoin=1,coinbase:BTC:bitcon=1', ['coinbase'])).toThrow(
      /kraken:BTC:bitcoin [\s\S]* coinbase:BTC:bitcon /,
    );
  });
});
