import { pino } from 'pino';
import { InvalidConfig, loadConfig } from '#platform/config';
import { Chains } from './chains.js';

describe('the settings of chain APIs', () => {
  const start = async (settings: Record<string, string>): Promise<string[]> => {
    const chains = new Chains(loadConfig(settings), pino({ level: 'silent' }));
    await chains.onApplicationShutdown();
    return chains.networks();
  };
  const url = 'http://127.0.0.1:9';

  it('name the networks that can be queried', async () => {
    expect(await start({ ENRICHMENT_BITCOIN_URL: url, ENRICHMENT_ETHEREUM_URL: url })).toEqual(['bitcoin', 'ethereum']);
  });

  it.each([
    ['ENRICHMENT_BITCON_URL', 'Causeway knows no network bitcon'],
    ['ENRICHMENT_BITCOIN_URI', 'is not a setting; use ENRICHMENT_BITCOIN_URL'],
    ['ENRICHMENT_BITCOIN', 'is not a setting; use ENRICHMENT_BITCOIN_URL'],
    ['enrichment_bitcoin_api', 'is not a setting; use ENRICHMENT_BITCOIN_URL'],
  ])('do not include %s, with which a process does not start', async (name, problem) => {
    await expect(start({ [name]: url })).rejects.toThrow(new InvalidConfig([`${name}: ${problem}`]));
  });

  it('do not include variables of other programs that begin with ENRICHMENT', async () => {
    expect(await start({ ENRICHMENT_API_KEY: 'text', ENRICHMENT_BITCOIN_SERVICE_HOST: '10.0.0.1' })).toEqual([]);
  });
});
