import { readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '#platform/testing';
import { TestApp, type TestProjectWithClient, type WalletClients } from '../../api/test/support/test-app.js';
import { execute, quote, settled } from '../../api/test/support/withdrawal-client.js';

const SAVED_ADDRESS = 'bc1pjgv68y0p8ln590tkgc6p2wmqxwqun9y79d6sle83cx0kwwwcttcqd3xcrp';
const UNSAVED_ADDRESS = 'bc1q30hd07qtnrr3r8p7nm3ve0n6w83preauur5hs6';
const CLOCK_STEP_MS = 5000;
const page = readFileSync(path.join(projectRoot, 'docs/sandbox.md'), 'utf8');

/** Returns the table rows of docs/sandbox.md whose first cell matches `first`, as cells without backticks. */
function rows(first: RegExp): string[][] {
  return page
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim().replaceAll('`', '')),
    )
    .filter(([cell = '']) => first.test(cell));
}

/** Returns a response as docs/sandbox.md writes it: the status of a success, the code of an error. */
function outcomeOf({ status, body }: { status: number; body: { type?: string } }): string {
  return status < 300 ? String(status) : String(body.type);
}

describe('the tables of docs/sandbox.md', () => {
  let app: TestApp;
  let project: TestProjectWithClient;
  let count = 0;
  beforeAll(async () => {
    app = await TestApp.create({ worker: true, env: { EXCHANGE_TIMEOUT_MS: '10000' } });
    project = await app.project();
  });
  afterAll(() => app.close());

  /** Connects a wallet with its own account, and returns the response to the connect call. */
  async function connect(scenario: string): Promise<WalletClients & { response: string }> {
    const walletId = `magic-${++count}`;
    const clients = app.clientsOf(project, walletId);
    const body = { apiKey: `${scenario}_${walletId}` };
    const connected = await clients.http.post<{ type?: string }>('/v0/wallet/sandbox/connect', { body });
    return { ...clients, response: outcomeOf(connected) };
  }
  const order = (change: object = {}) => ({
    asset: 'BTC',
    network: 'bitcoin',
    amount: '0.01',
    address: SAVED_ADDRESS,
    ...change,
  });

  it('have a row for every scenario and every magic amount', () => {
    expect(rows(/^sandbox_/)).toHaveLength(19);
    expect(rows(/^666\d\d$/)).toHaveLength(23);
    expect(page).toContain(SAVED_ADDRESS);
  });

  it.each(rows(/^sandbox_/))(
    'are right about the token %s: %s',
    async (scenario = '', _account = '', connected, quoted = '', executed = '') => {
      const wallet = await connect(scenario);
      expect(wallet.response).toBe(connected);
      if (quoted === '') return;
      const address = scenario === 'sandbox_full_book' ? UNSAVED_ADDRESS : SAVED_ADDRESS;
      const responses = executed === '' ? [] : executed.split(', then ');
      const quotes = await Promise.all(
        (responses.length === 0 ? [''] : responses).map(() => quote(wallet, order({ address }))),
      );
      expect(quotes.map(outcomeOf)).toEqual(quotes.map(() => quoted));
      for (const [index, response] of responses.entries()) {
        expect(outcomeOf(await execute(wallet, quotes[index]?.body.id ?? ''))).toBe(response);
      }
    },
  );

  it.each(rows(/^666\d\d$/))('are right about the amount …%s: %s', async (digits, _exchange, executed, ended) => {
    const wallet = await connect('sandbox_none');
    const { body } = await quote(wallet, order({ amount: `0.01${digits}` }));
    const response = await execute(wallet, body.id);
    expect(outcomeOf(response)).toBe(executed);
    if (ended === '') return;
    const transaction = await settled(app, wallet, response.body.result.transactionId, CLOCK_STEP_MS);
    expect(transaction.status).toBe(ended);
  });

  it.each(rows(/^WITHDRAWAL_/))(
    'are right about the code %s: %s, %s, %s',
    async (code, scenario = '', change = '', executed = '') => {
      const wallet = await connect(scenario);
      const quoted = await quote(wallet, order(JSON.parse(change) as object));
      let response: { status: number; body: { type?: string; result?: object } } = quoted;
      for (const body of executed === '' ? [] : executed.split(/, (?=\{)/)) {
        const { bizNo = '' } = (response.body.result ?? {}) as { bizNo?: string };
        response = await execute(wallet, quoted.body.id, JSON.parse(body.replace('…', bizNo)) as object);
      }
      expect(outcomeOf(response)).toBe(code);
    },
  );
});
