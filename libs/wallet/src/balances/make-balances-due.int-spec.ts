import { createHash } from 'node:crypto';
import type { ProjectMode } from '#access';
import { Secret } from '#platform/crypto';
import { WalletCredentials } from '../credentials/wallet-credentials.service.js';
import { connectedWallet, type ConnectedWalletOptions } from '../testing/connected-wallet.js';
import { createWalletHarness, type WalletHarness } from '../testing/wallet-harness.js';
import { MakeBalancesDue } from './make-balances-due.js';

const KEY = 'key of the notified account';
const HOUR_MS = 3_600_000;

describe('a notice of an exchange about an account', () => {
  let harness: WalletHarness;
  beforeAll(async () => (harness = await createWalletHarness({ providers: [MakeBalancesDue] })));
  afterAll(() => harness.close());

  const inMs = (ms: number): Date => new Date(harness.clock.now().getTime() + ms);

  /** Connects a wallet with an API key. Its next refresh is an hour away. */
  async function connected(mode: ProjectMode, options: ConnectedWalletOptions, apiKey = KEY): Promise<string> {
    const project = await harness.project(mode);
    const { id: walletId } = await connectedWallet(harness.db, project, options);
    const credentials = { apiKey: new Secret(apiKey), apiSecret: new Secret('secret') };
    const sealer = await harness.vault.sealer(project);
    const store = harness.get(WalletCredentials);
    await harness.db.transaction((tx) => store.store(tx, { project, walletId }, credentials, sealer));
    await harness.db.query(`update wallets set next_sync_at = $2 where id = $1`, [walletId, inMs(HOUR_MS)]);
    return walletId;
  }

  const notify = (exchange: string | null): Promise<string[]> => {
    const keyDigests = [createHash('sha256').update(KEY).digest()];
    return harness.db.transaction((tx) => harness.get(MakeBalancesDue).execute(tx, { exchange, keyDigests }));
  };

  async function dueInMs(walletId: string): Promise<number> {
    const [row] = await harness.db.query<{ at: Date }>(`select next_sync_at as at from wallets where id = $1`, [
      walletId,
    ]);
    return (row?.at.getTime() ?? NaN) - harness.clock.now().getTime();
  }

  it('makes due the wallets with its key at this exchange, and no others', async () => {
    const live = await connected('live', { exchange: 'kraken' });
    const test = await connected('test', { exchange: 'kraken' });
    const others = [
      await connected('live', { exchange: 'kraken' }, 'another key'),
      await connected('live', { exchange: 'okx' }),
      await connected('live', { exchange: 'kraken', invalidApi: true }),
    ];
    const deleted = await connected('live', { exchange: 'kraken' });
    await harness.db.query(`update wallets set deleted_at = $2 where id = $1`, [deleted, inMs(0)]);

    expect(await notify('kraken')).toEqual([live]);
    expect(await dueInMs(live)).toBeLessThanOrEqual(0);
    for (const wallet of [test, deleted, ...others]) expect(await dueInMs(wallet)).toBeGreaterThan(0);
    // The sandbox exchange plays all exchanges of test projects.
    expect(await notify(null)).toEqual([test]);
  });

  it('does not postpone a wallet that is overdue', async () => {
    const wallet = await connected('live', { exchange: 'gemini' });
    await harness.db.query(`update wallets set next_sync_at = $2 where id = $1`, [wallet, inMs(-HOUR_MS)]);
    expect(await notify('gemini')).toEqual([wallet]);
    expect(await dueInMs(wallet)).toBeLessThanOrEqual(-HOUR_MS);
  });
});
