import { loadConfig } from '#platform/config';
import { exchanges } from './exchanges.js';
import { baseUrlOf } from './base-url.js';

const [okx, kraken] = [exchanges['okx'], exchanges['kraken']];
if (okx === undefined || kraken === undefined) throw new Error('the registry lacks an exchange');

describe('the base address of an exchange', () => {
  const config = loadConfig({});

  it.each([
    [undefined, 'https://www.okx.com'],
    ['global', 'https://www.okx.com'],
    ['eea', 'https://eea.okx.com'],
    ['us', 'https://us.okx.com'],
  ])('in the region %s is %s', (region, url) => {
    expect(baseUrlOf(okx, { mode: 'live', region }, config)).toBe(url);
  });

  it('is the configured address in every region', () => {
    const configured = loadConfig({ EXCHANGE_OKX_URL: 'https://proxy.example' });
    expect(baseUrlOf(okx, { mode: 'live', region: 'eea' }, configured)).toBe('https://proxy.example');
  });

  it.each(['mars', 'toString', ''])('does not exist for the region "%s"', (region) => {
    for (const exchange of [okx, kraken]) {
      expect(() => baseUrlOf(exchange, { mode: 'live', region }, config)).toThrow('no region with this id');
    }
  });
});
