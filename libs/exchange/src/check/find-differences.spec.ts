import { bybit } from '../exchanges/bybit/bybit.js';
import { loadReadingCalls } from './documented-forms.js';
import { unmappedNetworks } from './find-differences.js';

describe('the names of networks that a connector does not know', () => {
  // Bybit's page asset/coin-info: `chainType` is "Ethereum" beside the `chain` "ETH".
  it('are those of networks, and no titles beside them', async () => {
    const route = 'GET /v5/asset/coin/query-info';
    const chains = [
      { chain: 'ETH', chainType: 'Ethereum' },
      { chain: 'NEWCHAIN', chainType: 'New Chain' },
    ];
    const body = JSON.stringify({ retCode: 0, result: { rows: [{ coin: 'USDT', chains }] } });
    const call = { route, sentTo: route, parameters: {}, status: 200, headers: {}, body, readAtMs: 0, tookMs: 0 };
    expect(unmappedNetworks([call], bybit, await loadReadingCalls('bybit'))).toEqual([
      { kind: 'unmapped_network', where: route, detail: 'NEWCHAIN', count: 1 },
    ]);
  });
});
