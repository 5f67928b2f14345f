import { Vault, type SealedRecord } from '#platform/crypto';
import { until } from '#platform/testing';
import { refusalOf } from '../support/causeway-client.js';
import { askForLink, ExchangePerson, newIdem, outcomeOf, PageBrowser } from '../support/page-browser.js';
import { PATIENT, TestApp, type TestProjectWithClient, type WalletClients } from '../support/test-app.js';

/** Time until Causeway repeats a renewal of a token for the first time, after it received no response. */
const FIRST_PAUSE_MS = 30_000;
/** A token that the exchange refuses sooner than this after its renewal deletes no wallet. */
const RENEWED_LATELY_MS = 60_000;

interface GrantedWallet extends WalletClients {
  accountId: string;
  grantId: string;
}

describe('wallets that were connected by OAuth', () => {
  let app: TestApp;
  let project: TestProjectWithClient;
  let person: ExchangePerson;
  let wallets = 0;

  beforeAll(async () => {
    app = await TestApp.create({
      worker: true,
      env: { ...PATIENT, CONNECT_VISITS_PER_MINUTE: '100000' },
      overrides: { GRANT_SWEEP_MS: 50 },
    });
    project = await app.project();
    person = new ExchangePerson(app.sandbox.url);
  });
  afterAll(() => app.close());

  async function connect(exchange: string, known: { walletId?: string } = {}): Promise<GrantedWallet> {
    const walletId = known.walletId ?? `granted-${++wallets}`;
    const idem = newIdem();
    const link = await askForLink(project, { walletId, exchange, access: 'read', idem });
    const browser = new PageBrowser();
    const { redirectTo, accountId, grantId } = await person.decide(await browser.leave(link.url));
    const { location } = await browser.get(redirectTo);
    if (location !== link.url || accountId === null || grantId === null) throw new Error('not connected');
    // On a busy machine, the callback leads to the page of the link before the account is connected.
    const status = async (): Promise<string> => (await outcomeOf(app, project, { idem })).status;
    await until('the attempt has its outcome', async () => (await status()) !== 'pending');
    expect(await status()).toBe('success');
    return { ...app.clientsOf(project, walletId), accountId, grantId };
  }

  async function grantOf({ walletId }: GrantedWallet): Promise<{ revision: string; access_expires_at: Date }> {
    const [row] = await app.db.query<{ revision: string; access_expires_at: Date }>(
      `select g.revision, g.access_expires_at from wallet_grants g join wallets w on w.id = g.wallet_id
        where w.external_id = $1 and w.project_id = $2 and w.deleted_at is null`,
      [walletId, project.projectId],
    );
    if (row === undefined) throw new Error('no grant');
    return row;
  }

  /** Returns the decrypted access token and refresh token of the wallet. */
  async function tokensOf({ walletId: externalId }: GrantedWallet): Promise<string[]> {
    const [row] = await app.db.query<{ id: string; version: string; access: SealedRecord; refresh: SealedRecord }>(
      `select w.id, c.sealed->>'id' as version, c.sealed->'fields'->'apiKey' as access, g.sealed as refresh
         from wallets w join wallet_credentials c on c.wallet_id = w.id join wallet_grants g on g.wallet_id = w.id
        where w.external_id = $1 and w.project_id = $2 and w.deleted_at is null`,
      [externalId, project.projectId],
    );
    if (row === undefined) throw new Error('no tokens');
    const { organizationId, projectId } = project;
    const { id: walletId, version } = row;
    const open = (record: SealedRecord, field: string): Promise<string> => {
      const { sequence } = record;
      return app.api.get(Vault).open(record, { organizationId, projectId, walletId, field, version, sequence });
    };
    return [await open(row.access, 'apiKey'), await open(row.refresh, 'refreshToken')];
  }

  /** Returns the names of the tables that have one of the texts in a row. */
  async function tablesWith(texts: readonly string[]): Promise<string[]> {
    const tables = await app.db.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
    );
    const found: string[] = [];
    for (const { name } of tables) {
      const rows = await app.db.query(
        `select from ${name} as t where exists (select from unnest($1::text[]) as wanted where strpos(t::text, wanted) > 0)`,
        [texts],
      );
      if (rows.length > 0) found.push(name);
    }
    return found;
  }

  async function holdingsOf({ causeway }: GrantedWallet): Promise<string[]> {
    const { balances } = await causeway.getWithdrawalBalance();
    return balances.map(({ asset, amount }) => `${amount} ${asset}`);
  }

  const isInvalid = async ({ causeway }: GrantedWallet): Promise<boolean> => (await causeway.getWallet()).invalidApi;

  async function expire(wallet: GrantedWallet): Promise<void> {
    app.clock.advance((await grantOf(wallet)).access_expires_at.getTime() - app.clock.now().getTime() + 1_000);
  }

  describe.each(['sandbox', 'coinbase'])('at %s', (exchange) => {
    it('keep working with the same account when access tokens expire', async () => {
      const wallet = await connect(exchange);
      const first = await holdingsOf(wallet);
      const identity = await wallet.causeway.getIdentity();
      for (let round = 0; round < 2; round++) {
        const { revision } = await grantOf(wallet);
        await expire(wallet);
        expect(await holdingsOf(wallet)).toEqual(first);
        expect((await grantOf(wallet)).revision).not.toBe(revision);
      }
      expect(await wallet.causeway.getIdentity()).toEqual(identity);
    });

    it('are flagged when the owner has revoked the grant, and are deleted unless the caller declines the deletion', async () => {
      const wallet = await connect(exchange);
      await person.revoke(wallet.grantId);
      const refused = { status: 400, code: 'WALLET_INVALID_CREDENTIALS' };
      const kept = await refusalOf(wallet.causeway.getWithdrawalBalance({ autoDeleteIfInvalid: false }));
      expect(kept).toMatchObject({ ...refused, result: { walletDeleted: false } });
      expect(await isInvalid(wallet)).toBe(true);
      const deleted = await refusalOf(wallet.causeway.getWithdrawalBalance());
      expect(deleted).toMatchObject({ ...refused, result: { walletDeleted: true } });
      expect((await refusalOf(wallet.causeway.getWallet())).status).toBe(404);
    });

    it('are valid again after a new connect', async () => {
      const wallet = await connect(exchange);
      await person.revoke(wallet.grantId);
      await refusalOf(wallet.causeway.getWithdrawalBalance({ autoDeleteIfInvalid: false }));
      await connect(exchange, wallet);
      expect(await isInvalid(wallet)).toBe(false);
      expect(await holdingsOf(wallet)).not.toEqual([]);
    });

    it('have their grant revoked when they are deleted', async () => {
      const wallet = await connect(exchange);
      expect((await wallet.causeway.deleteWallet()).success).toBe(true);
      const grants = await person.grants(wallet.accountId);
      expect(grants.find(({ id }) => id === wallet.grantId)).toMatchObject({ revoked: true });
    });
  });

  it('are flagged but not deleted when the response to a renewal was lost and the exchange then refuses the token', async () => {
    const wallet = await connect('coinbase');
    // The fault is not limited to one call, because the worker's renewals for other wallets could use up such a fault.
    await app.sandbox.arm({ endpoint: 'oauth.coinbase.token', fault: 'answer_lost', count: null });
    await expire(wallet);
    const unanswered = await refusalOf(wallet.causeway.getWithdrawalBalance());
    await app.sandbox.calm();
    expect(unanswered).toMatchObject({ status: 502, result: { reason: 'credentials_not_renewed' } });
    app.clock.advance(FIRST_PAUSE_MS);
    for (let call = 0; call < 2; call++) {
      expect(await refusalOf(wallet.causeway.getWithdrawalBalance())).toMatchObject({
        status: 400,
        code: 'WALLET_INVALID_CREDENTIALS',
        result: { walletDeleted: false },
      });
    }
    expect(await isInvalid(wallet)).toBe(true);
    await connect('coinbase', wallet);
    expect(await isInvalid(wallet)).toBe(false);
  });

  it('get new tokens in the background before the old tokens expire, and are flagged when a renewal is refused', async () => {
    const wallet = await connect('sandbox');
    const first = await grantOf(wallet);
    app.clock.advance(first.access_expires_at.getTime() - app.clock.now().getTime() - 1_000);
    await until('the grant is renewed', async () => (await grantOf(wallet)).revision !== first.revision);
    expect(await isInvalid(wallet)).toBe(false);

    await person.revoke(wallet.grantId);
    await expire(wallet);
    await until('the wallet is disconnected', () => isInvalid(wallet));
  });

  it('have no token in the log, and no token in plain text in any table, even after a refusal and the deletion', async () => {
    const wallet = await connect('sandbox');
    const tokens = await tokensOf(wallet);
    await expire(wallet);
    await holdingsOf(wallet);
    tokens.push(...(await tokensOf(wallet)));
    await person.revoke(wallet.grantId);
    const refused = await refusalOf(wallet.causeway.getWithdrawalBalance());
    expect(refused).toMatchObject({ status: 400, result: { walletDeleted: false } });
    expect(new Set(tokens).size).toBe(4);

    expect(tokens).toEqual(expect.arrayContaining(await tokensOf(wallet)));
    expect(await tablesWith([wallet.walletId])).toContain('wallets');
    expect(await tablesWith(tokens)).toEqual([]);
    app.clock.advance(RENEWED_LATELY_MS + 1_000);
    expect((await refusalOf(wallet.causeway.getWithdrawalBalance())).result).toMatchObject({ walletDeleted: true });
    expect(await tablesWith(tokens)).toEqual([]);
    expect(app.logLines.length).toBeGreaterThan(10);
    for (const token of tokens) expect(app.logLines.filter((line) => line.includes(token))).toEqual([]);
  });
});
