import { loadConfig } from '#platform/config';
import { Metrics } from '#platform/metrics';
import { capturedLog, ManualClock } from '#platform/testing';
import type { Transaction } from '../history/transaction.entity.js';
import type { Transactions } from '../history/transactions.service.js';
import type { Chain } from './chain.js';
import type { Chains } from './chains.js';
import { EnrichTransaction } from './enrich-transaction.js';
import { EnrichmentApiError, EnrichmentTimeout } from './enrichment.errors.js';
import type { EnrichmentStore } from './enrichment-store.js';

describe('the log of look-ups at chains', () => {
  it('has one warning without a stack for each network and cause while a chain API is down', async () => {
    const { logger, lines } = capturedLog();
    const clock = new ManualClock();
    const store: Pick<EnrichmentStore, 'find' | 'claim'> = {
      find: (network) =>
        Promise.resolve({
          id: network,
          network,
          hash: 'ab',
          createdAt: clock.now(),
          confirmedAt: null,
          supersededBy: null,
        } as Transaction),
      claim: () => Promise.resolve(true),
    };
    let error: Error = new Error('not set');
    const chain: Chain = { canFind: () => true, find: () => Promise.reject(error) };
    const chains: Pick<Chains, 'find'> = { find: () => chain };
    const enrich = new EnrichTransaction(
      store as EnrichmentStore,
      chains as Chains,
      {} as Transactions,
      clock,
      loadConfig({ NODE_ENV: 'test' }),
      logger,
      new Metrics(),
    );
    for (let round = 0; round < 50; round += 1) {
      for (const network of ['bitcoin', 'ethereum']) {
        error = new EnrichmentApiError(network, new Error(`HTTP 503 of request ${round}`));
        await enrich.whenDue(network);
      }
    }
    error = new EnrichmentTimeout('bitcoin');
    await enrich.whenDue('bitcoin');
    expect(lines.map(({ level, network, because }) => [level, network, because])).toEqual([
      [
        40,
        'bitcoin',
        'The chain API of the network bitcoin returned no usable response (repeat the request later): HTTP 503 of request 0',
      ],
      [
        40,
        'ethereum',
        'The chain API of the network ethereum returned no usable response (repeat the request later): HTTP 503 of request 0',
      ],
      [40, 'bitcoin', 'The chain API of the network bitcoin did not respond in time (repeat the request)'],
    ]);
    for (const line of lines) expect(line).not.toHaveProperty('err');
  });
});
