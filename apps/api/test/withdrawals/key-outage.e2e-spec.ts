import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { TRANSIT_TOKEN, transitServer, type KeyServer } from '#platform/testing';
import type { HttpClient } from '../support/http-client.js';
import { TestApp, type TestWallet } from '../support/test-app.js';
import { btcQuote, execute } from '../support/withdrawal-client.js';

describe('an outage of the service that has the keys of the vault', () => {
  let folder: string;
  let keys: KeyServer;
  let app: TestApp;
  let wallet: TestWallet;
  let other: { http: HttpClient; close: () => Promise<void> };
  /** The client of the wallet at a process that has opened no credentials yet. */
  let there: HttpClient;

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'keys-'));
    writeFileSync(path.join(folder, 'token'), TRANSIT_TOKEN, { mode: 0o600 });
    keys = transitServer();
    app = await TestApp.create({
      env: {
        VAULT_KEYS: 'k:vault-transit:causeway',
        VAULT_TRANSIT_URL: await keys.listen(),
        VAULT_TRANSIT_NAMESPACE: 'team',
        VAULT_TRANSIT_TOKEN_FILE: path.join(folder, 'token'),
      },
    });
    const project = await app.project();
    // Before the wallet exists, because a process opens some credentials when it starts, and keeps their data keys.
    other = await app.another();
    wallet = await app.wallet(project);
    there = other.http.with({ ...project.headers, 'x-svc-wallet-id': wallet.walletId });
  });
  afterAll(async () => {
    await other.close();
    await app.close();
    keys.close();
    rmSync(folder, { recursive: true });
  });

  it('refuses a withdrawal with 503, sends nothing, and does not decide about the quote', async () => {
    const { id } = await btcQuote(wallet);
    keys.isDown = true;
    const refused = await execute({ http: there }, id);
    expect(refused.status).toBe(503);
    expect(refused.headers['retry-after']).toBe('5');
    expect(await app.sandbox.countCalls(wallet.account, 'Withdraw')).toBe(0);
    keys.isDown = false;
    expect(await execute({ http: there }, id)).toMatchObject({ status: 200, body: { success: true } });
    expect(await app.sandbox.countCalls(wallet.account, 'Withdraw')).toBe(1);
  });

  it('refuses a new wallet with 503, and deletes none', async () => {
    keys.isDown = true;
    const { apiKey, apiSecret } = await app.sandbox.open();
    const http = there.with({ 'x-svc-wallet-id': 'during-an-outage' });
    const refused = await http.post('/v0/wallet/kraken/connect', { body: { apiKey, apiSecret } });
    expect(refused.status).toBe(503);
    keys.isDown = false;
    expect((await http.get('/v0/wallet')).status).toBe(404);
    expect((await there.get('/v0/wallet')).status).toBe(200);
  });
});
