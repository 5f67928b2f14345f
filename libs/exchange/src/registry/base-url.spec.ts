import { loadConfig } from '#platform/config';
import { exchanges } from './exchanges.js';
import { baseUrlOf } from './base-url.js';
import { exchangeFacts } from './exchange-facts.js';

const [okx, kraken] = [exchanges['okx'], exchanges['kraken']];
if (okx === undefined || kraken === undefined) throw new Error('the registry lacks an exchange');

describe('the base address of an exchange', () => {
  const config = loadConfig({});

  it.each([
    [undefined, 'https://openapi.okx.com'],
    ['global', 'https://openapi.okx.com'],
    ['eea', 'https://eea.okx.com'],
    ['us', 'https://us.okx.com'],
  ])('in the region %s is %s', (region, url) => {
    expect(baseUrlOf(okx, { mode: 'live', region }, config)).toBe(url);
  });

  it('has a page with its date as evidence for each host, and the usual region has the usual host', () => {
    for (const { spec, hosts } of exchangeFacts) {
      expect([spec.id, hosts.length > 0]).toEqual([spec.id, !spec.sandboxOnly]);
      for (const { url, evidence } of hosts) {
        expect(new URL(url).origin).toBe(url);
        expect(evidence).toMatch(/\b(January|June|July|September) 2026\b/);
      }
      expect(hosts[0]?.url).toBe(exchanges[spec.id]?.liveUrl);
    }
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
