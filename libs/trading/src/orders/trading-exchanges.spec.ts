import { InvalidConfig, loadConfig } from '#platform/config';
import { TradingExchanges } from './trading-exchanges.js';

const withSetting = (text?: string): TradingExchanges => {
  const env = text === undefined ? {} : { TRADING_EXCHANGES: text };
  return new TradingExchanges(loadConfig(env));
};

describe('the exchanges at which orders are allowed', () => {
  it.each<[setting: string | undefined, allowed: string[], refused: string[]]>([
    [undefined, ['kraken'], ['okx', 'coinbase']],
    ['okx,bybit', ['okx', 'bybit'], ['kraken']],
    ['all', ['kraken', 'okx', 'coinbase'], ['sandbox']],
    ['none', [], ['kraken']],
  ])('with TRADING_EXCHANGES = %s are %j and not %j', (setting, allowed, refused) => {
    const exchanges = withSetting(setting);
    for (const exchange of allowed) expect(() => exchanges.require(exchange)).not.toThrow();
    for (const exchange of refused) {
      expect(() => exchanges.require(exchange)).toThrow(/not supported/);
    }
  });

  it('are named in the refusal of an order at another exchange', () => {
    expect(() => withSetting('kraken,okx').require('gemini')).toThrow(
      'Orders at gemini are not supported; use a wallet at kraken, okx',
    );
  });

  it('must be exchanges that can place orders', () => {
    expect(() => withSetting('kraken,krakn')).toThrow(InvalidConfig);
  });
});
