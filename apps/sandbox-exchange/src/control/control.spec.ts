import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { methods } from '../catalogue.js';
import { startSandboxExchange } from '../sandbox-exchange.js';
import { TestSandbox } from '../../test/sandbox.js';

describe('the control API', () => {
  let sandbox: TestSandbox;
  beforeEach(async () => {
    sandbox = await TestSandbox.start();
  });
  afterEach(() => sandbox.close());

  it('opens an account with saved withdrawal addresses for every method, and returns the same account for the same key', async () => {
    const account = await sandbox.open();
    const withMemo = methods.filter(({ memo }) => memo !== null);
    expect(account.withdrawalAddresses).toHaveLength(methods.length + withMemo.length);
    expect(account.withdrawalAddresses[0]).toMatchObject({ asset: 'BTC', method: 'Bitcoin', network: 'Bitcoin' });
    expect(await sandbox.open({ apiKey: account.apiKey, balances: { BTC: '99' } })).toEqual(account);
    expect((await sandbox.ledger(account)).balances['BTC']?.total).toBe('5');
  });

  it.each([
    [{ balances: { NOPE: '1' } }],
    [{ balances: { BTC: '-1' } }],
    [{ balances: { BTC: 1 } }],
    [{ balances: { BTC: '0.00000000001' } }],
    [{ permissions: ['everything'] }],
    [{ surprise: true }],
    [{ withdrawalAddresses: [{ asset: 'BTC', method: 'Pigeon', address: 'a', key: 'k' }] }],
  ])('refuses the account %j without opening it', async (input) => {
    const { status, body } = await sandbox.control('POST', 'accounts', { apiKey: 'k', ...input });
    expect(status).toBe(422);
    expect(body).toEqual({ error: expect.any(String) as string });
    expect((await sandbox.control('GET', 'ledger?apiKey=k')).status).toBe(404);
  });

  it.each([
    ['accounts/bulk', 'ledger?apiKey='],
    ['partner/accounts/bulk', 'ledger?token='],
  ])('opens the requested number of accounts at %s, or none when it refuses the request', async (path, ledger) => {
    const { body } = await sandbox.control('POST', path, { count: 30, namePrefix: 'load', balances: { BTC: '2' } });
    const { accounts } = body as { accounts: { accountId: string; apiKey?: string; token?: string }[] };
    expect(new Set(accounts.map(({ accountId }) => accountId)).size).toBe(30);
    const { apiKey, token } = accounts[29] ?? {};
    const opened = await sandbox.control('GET', ledger + encodeURIComponent(apiKey ?? token ?? ''));
    expect(opened.body).toMatchObject({ account: { name: 'load 30' }, balances: { BTC: { total: '2' } } });
    expect((await sandbox.control('POST', path, { count: 19_971 })).status).toBe(409);
    expect((await sandbox.control('POST', path, { count: 1, balances: { NOPE: '1' } })).status).toBe(422);
    expect((await sandbox.control('POST', path, { count: 1 })).status).toBe(200);
  });

  it('changes the status of withdrawals that do not settle by themselves, and returns the money of a failed one', async () => {
    const account = await sandbox.open({ balances: { BTC: '5' }, settle: 'manual' });
    const { key } = account.withdrawalAddresses[0] ?? { key: '' };
    const client = sandbox.ccxt(account);
    const submit = async () => {
      const { result } = await client.privatePostWithdraw({ asset: 'XBT', key, amount: '1' });
      return (result as { refid: string }).refid;
    };
    const [sent, failed] = [await submit(), await submit()];
    sandbox.advance(3_600_000);
    expect((await sandbox.ledger(account)).withdrawals.map(({ status }) => status)).toEqual(['Initial', 'Initial']);
    await sandbox.control('POST', `withdrawals/${sent}`, { status: 'Success' });
    await sandbox.control('POST', `withdrawals/${failed}`, { status: 'Failure' });
    const { balances, withdrawals } = await sandbox.ledger(account);
    expect(withdrawals.map(({ status }) => status)).toEqual(['Success', 'Failure']);
    expect(balances['BTC']?.total).toBe('4');
    expect((await sandbox.control('POST', `withdrawals/${failed}`, { status: 'Success' })).status).toBe(409);
  });

  it('saves and removes withdrawal addresses', async () => {
    const account = await sandbox.open({ withdrawalAddresses: [] });
    const address = {
      asset: 'XRP',
      method: 'Ripple XRP',
      address: 'rN7n7otQDd6FczFgLdSqtcsAUxDkw6fzRH',
      key: 'mine',
      memo: '7',
    };
    const at = `accounts/${account.accountId}/withdrawal-addresses`;
    const saved = await sandbox.control('POST', at, address);
    expect(saved).toMatchObject({ status: 200, body: { key: 'mine', memo: '7', verified: true } });
    expect((await sandbox.control('POST', at, address)).status).toBe(409);
    const client = sandbox.ccxt(account);
    expect((await client.privatePostWithdrawAddresses({ asset: 'XRP' })).result).toMatchObject([
      { key: 'mine', tag: '7' },
    ]);
    expect((await sandbox.control('DELETE', at, { key: 'mine' })).status).toBe(200);
    expect((await client.privatePostWithdrawAddresses({ asset: 'XRP' })).result).toEqual([]);
  });

  it('lists calls without their API keys, and deletes accounts, nonces and calls at a reset', async () => {
    const account = await sandbox.open();
    await sandbox.errorsOf(account, 'Balance', { nonce: '1' });
    await sandbox.errorsOf(account, 'Withdraw', { nonce: '2' });
    const { body } = await sandbox.control('GET', 'requests');
    expect(body).toMatchObject({
      requests: [
        { endpoint: 'Balance', outcome: 'ok', apiKeyHint: account.apiKey.slice(-4) },
        { endpoint: 'Withdraw', outcome: 'EGeneral:Invalid arguments' },
      ],
    });
    expect(JSON.stringify(body)).not.toContain(account.apiKey);
    await sandbox.control('POST', 'reset');
    expect(await sandbox.errorsOf(account, 'Balance', { nonce: '3' })).toEqual(['EAPI:Invalid key']);
    expect((await sandbox.control('GET', 'requests?endpoint=Withdraw')).body).toEqual({ requests: [] });
    const reopened = await sandbox.open({ apiKey: account.apiKey });
    expect(await sandbox.errorsOf(reopened, 'Balance', { nonce: '2' })).toEqual([]);
  });
});

describe('the sandbox exchange', () => {
  it('keeps accounts, keys, addresses, withdrawals, deposits, orders and nonces in its ledger file over a restart', async () => {
    const directory = mkdtempSync(path.join(tmpdir(), 'sandbox-exchange-'));
    const ledgerFile = path.join(directory, 'ledger.jsonl');
    const before = await TestSandbox.start({ ledgerFile });
    const account = await before.open();
    const key = account.withdrawalAddresses[0]?.key ?? '';
    await before.errorsOf(account, 'Withdraw', { nonce: '5', asset: 'XBT', key, amount: '1' });
    await before.errorsOf(account, 'DepositAddresses', { nonce: '6', asset: 'XBT', method: 'Bitcoin', new: 'true' });
    await before.control('POST', `accounts/${account.accountId}/fund`, { asset: 'BTC', amount: '2' });
    const order = { pair: 'XBTUSD', type: 'sell', ordertype: 'limit', volume: '1', price: '999999' };
    expect(await before.errorsOf(account, 'AddOrder', { nonce: '7', ...order })).toEqual([]);
    const left = await before.ledger(account);
    await before.close();

    const after = await TestSandbox.start({ ledgerFile });
    expect(await after.ledger(account)).toEqual(left);
    expect(left).toMatchObject({ withdrawals: [{ status: 'Initial' }], deposits: [{ amount: '2' }], orders: [{}] });
    expect(await after.errorsOf(account, 'Balance', { nonce: '7' })).toEqual(['EAPI:Invalid nonce']);
    expect(await after.open({ apiKey: account.apiKey })).toEqual(account);
    await after.close();
    rmSync(directory, { recursive: true });
  });

  it('reports that its port is taken', async () => {
    const first = await startSandboxExchange({ port: 0 });
    await expect(startSandboxExchange({ port: Number(new URL(first.url).port) })).rejects.toMatchObject({
      code: 'EADDRINUSE',
    });
    await first.close();
  });
});
