import { byExtent } from '#platform/testing';
import {
  createQuote,
  execute,
  connectWallet,
  type Headers,
  type Quote,
  type Reply,
} from '../src/processes/api-client.js';
import type { ExchangeAccount, ExchangeCall, LedgerRecord } from '../src/processes/installation/exchange-control.js';
import { Installation } from '../src/processes/installation/installation.js';
import { until } from '../src/processes/until.js';

const START_TIMEOUT_MS = 300_000;
const ROUND_TIMEOUT_MS = 600_000;
const SETTLE_TIMEOUT_MS = 300_000;
const EXECUTES = 100;
const ROUNDS = byExtent({ short: [1], medium: [1], long: [1, 2, 3, 4, 5] });
const EQUAL_QUOTES = 10;
/** A hundred calls at once wait for each other. On a busy machine, they wait longer than in the other proofs. */
const PATIENT = {
  DATABASE_CONNECT_TIMEOUT_MS: '9000',
  DATABASE_STATEMENT_TIMEOUT_MS: '9000',
  DATABASE_LOCK_TIMEOUT_MS: '9000',
  EXCHANGE_TIMEOUT_MS: '9000',
  EXECUTE_WAIT_MS: '9000',
};

describe('executions at the same moment, over three API processes', () => {
  let installation: Installation;
  let account: ExchangeAccount;
  let wallet: Headers;

  beforeAll(async () => {
    installation = await Installation.start({ lane: 2, apis: 3, mutant: null, settings: PATIENT });
  }, START_TIMEOUT_MS);
  afterAll(() => installation.close(), START_TIMEOUT_MS);
  afterEach(() => installation.exchange.calm());

  const open = async (): Promise<void> => {
    account = await installation.exchange.open();
    wallet = await connectWallet(addresses()[0] ?? '', installation.project, `race-${account.accountId}`, {
      account,
      control: installation.exchange,
    });
  };
  const addresses = (): string[] => installation.apis.map(({ address }) => address ?? '');
  const quote = (): Promise<Quote> => {
    const saved = account.withdrawalAddresses.find(({ method }) => method === 'Bitcoin');
    const request = { asset: 'BTC', network: 'bitcoin', address: saved?.address ?? '', amount: '0.1' };
    return createQuote(addresses()[0] ?? '', wallet, request);
  };
  const ledger = (): Promise<LedgerRecord[]> => installation.exchange.ledger(account);
  const submissions = (): Promise<ExchangeCall[]> => installation.exchange.calls(account, 'withdraw');
  /** Sends all calls at once, to the processes in rotation. */
  const executeAll = (ids: string[]): Promise<Reply[]> =>
    Promise.all(ids.map((id, index) => execute(addresses()[index % addresses().length] ?? '', wallet, id)));
  const answerOf = (reply: Reply): string =>
    'failure' in reply ? reply.failure : `${reply.status} ${JSON.stringify(reply.body)}`;

  const payOnce = async (): Promise<void> => {
    await open();
    const { id } = await quote();
    const answers = new Set((await executeAll(Array<string>(EXECUTES).fill(id))).map(answerOf));
    expect([...answers]).toEqual([expect.stringMatching(/^200 \{"success":true,"result":\{"id":/)]);
    // A slow machine answers before it sends the submission.
    await until('the withdrawal was submitted', SETTLE_TIMEOUT_MS, async () => (await ledger()).length > 0);
    expect(await ledger()).toHaveLength(1);
    // The processes use the same API key. While the submission is on its way, no other call gets a higher nonce, so the
    // exchange does not refuse the submission.
    expect((await submissions()).map(({ outcome }) => outcome)).toEqual(['ok']);
  };
  it.each(ROUNDS)('pay one quote once, and all get the same response (round %i)', payOnce, ROUND_TIMEOUT_MS);

  const payOnceUnanswered = async (): Promise<void> => {
    await open();
    const { id } = await quote();
    await installation.exchange.arm({ endpoint: 'withdraw', fault: 'answer_lost', count: 100, delayMs: 0 }, account);
    const answers = new Set((await executeAll(Array<string>(EXECUTES).fill(id))).map(answerOf));
    expect([...answers]).toEqual([expect.stringMatching(/^200 \{"success":true,"result":\{"id":/)]);
    // The exchange loses every response, so only its ledger shows how often the withdrawal was executed.
    await until('the withdrawal was submitted', SETTLE_TIMEOUT_MS, async () => (await ledger()).length > 0);
    expect(await ledger()).toHaveLength(1);
  };
  it('pay one quote once even when every response of the exchange is lost', payOnceUnanswered, ROUND_TIMEOUT_MS);

  const payOneOfEqualQuotes = async (): Promise<void> => {
    await open();
    const quotes: Quote[] = [];
    while (quotes.length < EQUAL_QUOTES) quotes.push(await quote());
    // The withdrawal must stay unresolved during the test. After it is settled, an equal withdrawal is not refused as a
    // duplicate.
    await installation.exchange.arm({ endpoint: 'withdraw', fault: 'answer_lost', count: 100, delayMs: 0 }, account);
    await installation.exchange.arm(
      { endpoint: 'history', fault: 'history_lags', count: 10_000, delayMs: 60_000 },
      account,
    );
    const replies = await executeAll(quotes.map(({ id }) => id));
    const statuses = replies.map((reply) => ('status' in reply ? String(reply.status) : reply.failure));
    expect(statuses.toSorted()).toEqual(['200', ...Array<string>(EQUAL_QUOTES - 1).fill('409')]);
    await until('the withdrawal was submitted', SETTLE_TIMEOUT_MS, async () => (await ledger()).length > 0);
    expect(await ledger()).toHaveLength(1);

    await installation.exchange.calm();
    const paid = replies.find((reply) => 'status' in reply && reply.status === 200);
    await until('the one that was paid is known to be', SETTLE_TIMEOUT_MS, async () => {
      const id = paid !== undefined && 'body' in paid ? (paid.body as { result: { id: string } }).result.id : '';
      await installation.database.query(`update withdrawals set next_check_at = now() where id = $1`, [id]);
      const [row] = await installation.database.query<{ state: string }>(
        `select state from withdrawals where id = $1`,
        [id],
      );
      return row?.state === 'completed';
    });
    expect(await ledger()).toHaveLength(1);
  };
  it('pay one of ten equal quotes, and refuse the other nine as duplicates', payOneOfEqualQuotes, ROUND_TIMEOUT_MS);
});
