import { PauseStore } from '#exchange';
import { until } from '#platform/testing';
import { refusalOf } from '../support/causeway-client.js';
import { keyOf, signedExchanges, type SignedExchange } from '../support/signed-exchanges.js';
import { PATIENT, TestApp, type TestProjectWithClient, type TestWallet } from '../support/test-app.js';
import { btcQuote } from '../support/withdrawal-client.js';

const BALANCE = '/v0/wallet/withdraw/balance';
/** Far beyond every documented ban: 31 years. */
const ODD_SECONDS = '999999999';
const [binance] = signedExchanges.filter(({ id }) => id === 'binance');
/** The exchanges that do not document the status 418. */
const others = signedExchanges.filter(({ id }) => id !== 'binance');

describe('the pauses of an exchange', () => {
  let app: TestApp;
  let project: TestProjectWithClient;
  let count = 0;

  beforeAll(async () => {
    app = await TestApp.create({ env: PATIENT });
    project = await app.project();
  });
  afterEach(() => app.sandbox.calm());
  afterAll(() => app.close());

  async function wallet(facts: SignedExchange): Promise<TestWallet> {
    const account = await app.sandbox.open({ balances: { BTC: '5' } });
    const clients = app.clientsOf(project, `${facts.id}-${++count}`);
    await clients.causeway.connectWallet({ exchange: facts.id, ...keyOf(facts, account) });
    return { ...clients, account };
  }

  /** Executes a quote while the exchange responds to the submission with 418 and a long `Retry-After`. */
  async function withdrawAtOdds({ causeway, account, ...rest }: TestWallet, facts: SignedExchange): Promise<unknown> {
    const { id: quoteId } = await btcQuote({ causeway, account, ...rest });
    const { apiKey } = account;
    await app.sandbox.arm({ endpoint: `${facts.id}.withdraw`, fault: 'http_418', error: ODD_SECONDS, apiKey });
    return (await causeway.executeQuote({ quoteId })).result.status;
  }

  it.each(others)('stop no read at $id after a 418 for one withdrawal, which $id does not document', async (facts) => {
    const [odd, other] = [await wallet(facts), await wallet(facts)];
    expect(await withdrawAtOdds(odd, facts)).toBe('pending');
    for (const { causeway } of [odd, other]) {
      expect((await causeway.getWithdrawalBalance()).balances).toHaveLength(1);
    }
  });

  it('stop every process and a restarted one after a documented ban, until an operator ends them', async () => {
    if (binance === undefined) throw new Error('Binance is tested');
    const [banned, other] = [await wallet(binance), await wallet(binance)];
    const second = await app.another();
    try {
      expect(await withdrawAtOdds(banned, binance)).toBe('pending');
      const before = await app.sandbox.countCalls(other.account);
      const refusal = await refusalOf(other.causeway.getWithdrawalBalance());
      expect(refusal).toMatchObject({ status: 502, code: 'WITHDRAWAL_PROVIDER_ERROR' });

      const headers = { ...project.headers, 'x-svc-wallet-id': other.walletId };
      const status = async ({ http }: Pick<typeof second, 'http'>): Promise<number> =>
        (await http.with(headers).get(BALANCE)).status;
      await until('the second process knows the ban', async () => (await status(second)) === 502);
      const restarted = await app.another();
      try {
        const response = await restarted.http.with(headers).get(BALANCE);
        expect(response.status).toBe(502);
        // Binance, rest-api/limits: "from 2 minutes to 3 days".
        const seconds = Number(response.headers['retry-after']);
        expect(seconds).toBeGreaterThan(259_000);
        expect(seconds).toBeLessThanOrEqual(259_200);
        expect(await app.sandbox.countCalls(other.account)).toBe(before);
        const readiness = await restarted.http.get('/readyz');
        const ban = { exchange: 'binance', reach: 'address', reason: 'ban', pauses: 1 };
        expect(readiness).toMatchObject({
          status: 200,
          body: { status: 'ready', pauses: expect.arrayContaining([expect.objectContaining(ban)]) },
        });

        await app.db.transaction((tx) => app.api.get(PauseStore, { strict: false }).end(tx, 'binance'));
        for (const process of [app, second, restarted]) {
          await until('the process calls again', async () => (await status(process)) === 200);
        }
      } finally {
        await restarted.close();
      }
    } finally {
      await second.close();
    }
  });
});
