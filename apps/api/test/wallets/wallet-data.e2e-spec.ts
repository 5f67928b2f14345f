import { Audit } from '#access';
import { Identities } from '#kyc';
import { DeleteWallet } from '#wallet';
import { runForProject } from '#platform/database';
import { NotFound } from '#platform/errors';
import { until } from '#platform/testing';
import { eraseWallet, type ErasedTable } from '../../../cli/src/wallet-data/erase-wallet.js';
import { exportWallet } from '../../../cli/src/wallet-data/export-wallet.js';
import { walletTables } from '../../../cli/src/wallet-data/wallet-data.js';
import { TestApp, type TestProjectWithClient, type TestWallet } from '../support/test-app.js';
import { btcQuote, savedAddress } from '../support/withdrawal-client.js';

const TIMEOUT_MS = 300_000;

interface Exported {
  format: string;
  walletId: string;
  identity: object | null;
  tables: Record<string, Record<string, unknown>[]>;
}

describe('the data of a wallet', () => {
  let app: TestApp;
  let project: TestProjectWithClient;
  let wallet: TestWallet;
  let foreign: TestWallet;

  beforeAll(async () => {
    app = await TestApp.create({ worker: true });
    project = await app.project();
    wallet = await app.wallet(project, { settle: 'auto' });
    foreign = await app.wallet(await app.project());
    for (const one of [wallet, foreign]) {
      const { id } = await btcQuote(one);
      await one.causeway.executeQuote({ quoteId: id });
    }
    await project.causeway.connect.link({
      idem: 'idem-of-the-wallet-1',
      walletId: wallet.walletId,
      exchange: 'kraken',
    });
    await until('the history is stored and dispatched', async () => {
      app.clock.advance(5_000);
      const { tables } = await exported();
      return tables['withdrawals']?.[0]?.['state'] === 'completed';
    });
  }, TIMEOUT_MS);
  afterAll(() => app.close());

  const identityOf = () => ({ id: project.projectId, organizationId: project.organizationId, mode: 'test' as const });
  const read = async (externalWalletId: string): Promise<string> => {
    let text = '';
    await exportWallet(app.db, {
      project: identityOf(),
      externalWalletId,
      identity: () =>
        runForProject(project.projectId, () => app.api.get(Identities).get(identityOf(), externalWalletId)).catch(
          () => null,
        ),
      write: (part) => (text += part),
    });
    return text;
  };
  const exported = async (): Promise<Exported> => JSON.parse(await read(wallet.walletId)) as Exported;
  const erase = (): Promise<ErasedTable[]> =>
    runForProject(project.projectId, () =>
      eraseWallet(
        { db: app.db, deleteWallet: app.api.get(DeleteWallet), audit: app.api.get(Audit) },
        { project: identityOf(), externalWalletId: wallet.walletId, actor: 'tests' },
      ),
    );

  it('is exported as one JSON document with the rows of every table, and without credentials and foreign rows', async () => {
    const document = await exported();
    expect(document).toMatchObject({ format: 'causeway.wallet-export/1', walletId: wallet.walletId, identity: null });
    const exportedTables = Object.keys(walletTables).filter((table) => walletTables[table]?.isExported);
    expect(Object.keys(document.tables)).toEqual(exportedTables);
    const address = savedAddress(wallet, 'BTC', 'Bitcoin');
    expect(document.tables).toMatchObject({
      wallets: [{ external_id: wallet.walletId }],
      withdrawals: [{ address, amount_no_fee: 0.01, state: 'completed' }],
      quotes: [{ address }],
      connect_sessions: [{ external_wallet_id: wallet.walletId }],
    });
    for (const table of ['wallet_balances', 'transactions', 'events', 'withdrawal_attempts']) {
      expect([table, document.tables[table]?.length]).not.toEqual([table, 0]);
    }
    const text = await read(wallet.walletId);
    for (const secret of [wallet.account.apiKey, wallet.account.apiSecret, 'sealed', 'token_hash']) {
      expect(text).not.toContain(secret);
    }
    const [{ id } = { id: '' }] = await app.db.query<{ id: string }>(`select id from wallets where external_id = $1`, [
      foreign.walletId,
    ]);
    expect(text).not.toContain(id);
  });

  it('is refused for a wallet of another project', async () => {
    await expect(read(foreign.walletId)).rejects.toThrow(NotFound);
  });

  it('is erased table by table, except what proves payments, and what is left is stated with its reason', async () => {
    const before = await exported();
    const left = await erase();
    for (const { table, left: count, reason } of left) {
      const kind = walletTables[table]?.erasure.kind;
      if (kind === 'erased') expect([table, count]).toEqual([table, 0]);
      if (count > 0) expect([table, reason]).toEqual([table, expect.stringMatching(/\w/)]);
      if (kind === 'kept' && walletTables[table]?.isExported && table !== 'audit_entries')
        expect([table, count]).toEqual([table, before.tables[table]?.length]);
    }
    expect(
      await app.db.query(
        `select from wallet_credentials c join wallets w on w.id = c.wallet_id
      where w.external_id = $1`,
        [wallet.walletId],
      ),
    ).toEqual([]);
    expect(await erase()).toHaveLength(left.length);
    const { tables } = await exported();
    expect(tables['audit_entries']).toMatchObject([{ action: 'wallet.erased' }, { action: 'wallet.erased' }]);
    expect((await foreign.causeway.getWallet()).id).toBe(foreign.walletId);
  });
});
