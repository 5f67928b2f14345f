import type { Projects } from '#access';
import { AuthorizationError, type Authorizations } from '#exchange';
import { loadConfig } from '#platform/config';
import { Keyring, LocalKey, Vault } from '#platform/crypto';
import type { Database } from '#platform/database';
import { Metrics } from '#platform/metrics';
import { capturedLog, ManualClock } from '#platform/testing';
import type { InvalidApiFlag } from '../wallets/invalid-api-flag.js';
import type { WalletCredentials } from '../credentials/wallet-credentials.service.js';
import type { Wallets } from '../wallets/wallets.service.js';
import { GrantMetrics } from './grant.metrics.js';
import { RefreshGrant } from './refresh-grant.js';
import type { RevokeGrant } from './revoke-grant.js';

const context = { organizationId: 'organization', projectId: 'project', version: 'version', sequence: 1 };

describe('the log of failed renewals', () => {
  const { logger, lines } = capturedLog();
  const db: Pick<Database, 'query'> = {
    query: async <Row>(sql: string, [walletId]: unknown[] = []) => {
      if (!sql.includes('returning')) return [];
      const sealed = await vault.seal('token', { ...context, walletId: String(walletId), field: 'refreshToken' });
      const { version, sequence } = context;
      return [{ client_id: 'ours', failures: 1, exchange: 'coinbase', sealed, version, sequence }] as Row[];
    },
  };
  let clientId = 'ours';
  const authorizations: Pick<Authorizations, 'clientId' | 'refresh'> = {
    clientId: () => clientId,
    refresh: () => Promise.reject(new AuthorizationError('unavailable', 'coinbase', 'time-out')),
  };
  const vault = new Vault(new Keyring([new LocalKey('k1', Buffer.alloc(32))]));
  const projects: Pick<Projects, 'getContext'> = {
    getContext: () => Promise.resolve({ id: 'project', organizationId: 'organization', mode: 'live' }),
  };
  const refresh = new RefreshGrant(
    db as Database,
    vault,
    new ManualClock(),
    loadConfig({ NODE_ENV: 'test' }),
    projects as Projects,
    {} as Wallets,
    authorizations as Authorizations,
    {} as WalletCredentials,
    {} as InvalidApiFlag,
    {} as RevokeGrant,
    new GrantMetrics(new Metrics()),
    logger,
  );
  const renewAll = async (): Promise<void> => {
    for (let index = 0; index < 50; index += 1) await refresh.execute(`wallet-${index}`, 'revision');
  };
  beforeEach(() => lines.splice(0));

  it('has one warning without a stack while the exchange cannot be reached', async () => {
    await renewAll();
    expect(lines).toMatchObject([{ level: 40, wallet: 'wallet-0', cause: 'coinbase unavailable' }]);
    expect(lines[0]).not.toHaveProperty('err');
  });

  it('has one error when all grants of an exchange belong to another OAuth client id', async () => {
    clientId = 'another';
    await renewAll();
    expect(lines).toMatchObject([{ level: 50, wallet: 'wallet-0', exchange: 'coinbase', clientId: 'ours', again: 0 }]);
  });
});
