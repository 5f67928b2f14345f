import { Amount } from '#money';
import { type Exchanges, type ExchangeSession } from '#exchange';
import { createExchanges } from '#exchange/testing';
import { loadConfig } from '#platform/config';
import { Secret } from '#platform/crypto';
import { RunningClock } from '#platform/testing';
import { startSandboxExchange, type SandboxExchange } from '../../../sandbox-exchange/src/sandbox-exchange.js';

interface Opened {
  accountId: string;
  apiKey: string;
  apiSecret: string;
}

/** The connector of Coinbase with a pasted key. The sandbox exchange checks the signatures. */
describe('the connector of Coinbase against the sandbox exchange', () => {
  const clock = new RunningClock();
  let sandbox: SandboxExchange;
  let exchanges: Exchanges;
  let opened = 0;

  beforeAll(async () => {
    sandbox = await startSandboxExchange({ port: 0, now: () => clock.now() });
    exchanges = createExchanges(loadConfig({ SANDBOX_URL: sandbox.url }), { clock });
  });
  afterAll(async () => {
    await exchanges.onApplicationShutdown();
    await sandbox.close();
  });

  async function openAccount(body: object): Promise<Opened> {
    const answer = await fetch(`${sandbox.url}/control/coinbase/accounts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(await answer.text());
    return (await answer.json()) as Opened;
  }

  const open = (apiKey: string, apiSecret: string): Promise<ExchangeSession> =>
    exchanges.open({
      exchange: 'coinbase',
      mode: 'test',
      credentials: { apiKey: new Secret(apiKey), apiSecret: new Secret(apiSecret) },
      credentialId: `key ${++opened}`,
    });

  it.each(['cdp', 'legacy'])('reads exact balances with a %s key', async (kind) => {
    const { apiKey, apiSecret } = await openAccount({ kind, balances: { BTC: '0.1234567891', USD: '12.34' } });
    const balances = await (await open(apiKey, apiSecret)).balances();
    const totals = Object.fromEntries(balances.map(({ asset, total }) => [asset, total]));
    expect(totals).toMatchObject({ BTC: Amount.of('0.1234567891'), USD: Amount.of('12.34') });
    for (const { free, used, total } of balances) expect(free.plus(used)).toEqual(total);
  });

  it('reads the permissions of a key', async () => {
    const { apiKey, apiSecret } = await openAccount({ permissions: ['view', 'trade'] });
    expect((await (await open(apiKey, apiSecret)).keyInfo()).permissions).toEqual(['view', 'trade']);
  });

  it('does not treat a refused signature as proof that the key is invalid', async () => {
    const [mine, other] = [await openAccount({}), await openAccount({})];
    const session = await open(mine.apiKey, other.apiSecret);
    await expect(session.balances()).rejects.toMatchObject({ kind: 'unavailable', reason: 'not_authenticated' });
  });

  it('reads the deposits of the accounts of all assets, and lists no deposit as a withdrawal', async () => {
    const { accountId, apiKey, apiSecret } = await openAccount({ balances: { BTC: '1', ETH: '1' } });
    const fund = (asset: string, amount: string) =>
      fetch(`${sandbox.url}/control/accounts/${accountId}/fund`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ asset, amount }),
      });
    const since = clock.now();
    await fund('BTC', '0.25');
    await fund('ETH', '0.5');
    const { history } = await open(apiKey, apiSecret);
    const page = await history?.page('deposit', { since, until: clock.now() }, null);
    const amounts = page?.records.map(({ asset, amount }) => `${amount.toString()} ${asset}`);
    expect([amounts?.sort(), page?.unreadable]).toEqual([['0.25 BTC', '0.5 ETH'], 0]);
    expect(await history?.page('withdrawal', { since, until: clock.now() }, null)).toMatchObject({ records: [] });
  });
});
