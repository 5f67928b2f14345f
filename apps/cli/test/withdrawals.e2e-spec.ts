import { until } from '#platform/testing';
import type { ReviewItem } from '#withdrawal';
import { backUp } from '#withdrawal/testing';
import { refusalOf } from '../../api/test/support/causeway-client.js';
import { TestApp, type TestProjectWithClient, type TestWallet } from '../../api/test/support/test-app.js';
import { btcQuote, settled } from '../../api/test/support/withdrawal-client.js';
import { CommandLine, type Outcome } from './command-line.js';

const STEP_MS = 5_000;
/** The default of WITHDRAWAL_ABSENCE_MS. */
const ABSENCE_MS = 600_000;

let app: TestApp;
let project: TestProjectWithClient;
let wallet: TestWallet;
let cli: CommandLine;

// Each test has its own application, because a test may set the application's clock ahead. The command line uses the
// real clock, so the exchange would refuse its lower nonces in the next test.
beforeEach(async () => {
  app = await TestApp.create({
    worker: true,
    // A slow machine answers every call within this time.
    env: { EXCHANGE_TIMEOUT_MS: '10000', EXCHANGE_SUBMIT_TIMEOUT_MS: '10000' },
    // The worker must not read histories, because such a read would use up a fault that is armed for an execution.
    overrides: { TRANSACTION_SYNC_SWEEP_MS: 3_600_000 },
  });
  cli = new CommandLine(app.env);
  project = await app.project();
  wallet = await app.wallet(project);
});
afterEach(() => app.close());

const pay = ({ causeway }: TestWallet, { id: quoteId }: { id: string }) => causeway.executeQuote({ quoteId });
const statusOf = async (transactionId: string): Promise<string> =>
  (await wallet.causeway.getTransaction({ transactionId })).status;

/** Executes a quote that the exchange accepts, while its response is lost and its history cannot be read. */
async function unknown(): Promise<{ id: string; transactionId: string; refid: string }> {
  const { apiKey } = wallet.account;
  const quote = await btcQuote(wallet);
  await app.sandbox.arm({ endpoint: 'Withdraw', fault: 'answer_lost', apiKey });
  // The listing before the submission must succeed. It meets the first fault, which only hides the newest records.
  // Every later listing meets the second fault and fails.
  await app.sandbox.arm({ endpoint: 'WithdrawStatus', fault: 'history_lags', count: 1, apiKey });
  await app.sandbox.arm({ endpoint: 'WithdrawStatus', fault: 'history_errors', count: null, apiKey });
  const { id, transactionId } = (await pay(wallet, quote)).result;
  const [booked] = await app.sandbox.withdrawals(wallet.account);
  return { id, transactionId, refid: booked?.refid ?? '' };
}

/** Moves the withdrawal to review, as the reconciler does when the history is ambiguous. */
async function giveToOperator(id: string): Promise<void> {
  await app.asOwner(`update withdrawals set state = 'review', next_check_at = null where id = '${id}'`);
}

function list(...args: string[]): Promise<ReviewItem[]> {
  return cli.json<ReviewItem[]>('withdrawals', 'list', '--wallet', wallet.walletId, ...args);
}

const settle = (id: string, ...args: string[]): Promise<Outcome> =>
  cli.run(['withdrawals', 'settle', id, '--by', 'Ada', ...args]);

describe('withdrawals on the command line', () => {
  it('are listed, shown and settled while they wait for an operator, and the worker then follows them', async () => {
    const { id, transactionId, refid } = await unknown();
    expect(await list('--state', 'unknown')).toMatchObject([{ id, state: 'unknown', amount: '0.01' }]);
    expect(await list()).toEqual([]);
    await giveToOperator(id);
    expect(await list()).toMatchObject([{ id, state: 'review', externalWalletId: wallet.walletId, exchangeId: null }]);

    const blind = await cli.run(['withdrawals', 'show', id]);
    expect(blind.out).toMatch(
      /THE EXCHANGE NOW\nthe exchange cannot be queried, so it may or may not have the withdrawal/,
    );
    await app.sandbox.calm();
    const shown = await cli.run(['withdrawals', 'show', id]);
    expect(shown.out).toMatch(new RegExp(`WITHDRAWAL\n +id +${id}\n +state +review since `));
    expect(shown.out).toMatch(/ATTEMPTS\nSTARTED .*\n.* unknown .*"max_fee"/);
    expect(shown.out).toMatch(new RegExp(`THE EXCHANGE NOW\nEXCHANGE ID .*\n${refid} +yes `));
    expect(await cli.json('withdrawals', 'show', id)).toMatchObject({
      withdrawal: { id, amountNoFee: '0.01' },
      history: { kind: 'shown', records: [{ exchangeId: refid, fits: true, amountNoFee: '0.01', linkedTo: null }] },
    });

    const done = await settle(id, '--outcome', 'submitted', '--exchange-id', refid);
    expect(done).toMatchObject({ code: 0, err: '' });
    expect(await settled(app, wallet, transactionId, STEP_MS)).toMatchObject({ status: 'ok' });
    expect(await cli.json('audit', 'list', project.organizationId, '--limit', '1')).toMatchObject([
      { actor: 'Ada', action: 'withdrawal.settled', subject: id, details: { outcome: 'submitted', exchangeId: refid } },
    ]);
    expect(await cli.run(['audit', 'verify'])).toMatchObject({ code: 0 });
  });

  it('are not settled as failed while the exchange lists a record that may be the withdrawal', async () => {
    const { id, transactionId, refid } = await unknown();
    await giveToOperator(id);
    const failed = ['--outcome', 'failed', '--reason', 'not there'];
    expect(await settle(id, ...failed)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/Make sure at the exchange/) as string,
    });
    const confirmed = [...failed, '--confirm-not-executed'];
    expect(await settle(id, ...confirmed)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/cannot be queried now/) as string,
    });
    await app.sandbox.calm();
    expect(await settle(id, ...confirmed)).toMatchObject({
      code: 1,
      err: `error: The withdrawal may be the exchange's record ${refid}; name each record of another withdrawal in --unrelated\n`,
    });
    expect(await statusOf(transactionId)).toBe('pending');
    expect(await settle(id, ...confirmed, '--unrelated', refid)).toMatchObject({ code: 0 });
    expect(await statusOf(transactionId)).toBe('failed');
    expect(await settle(id, ...confirmed)).toMatchObject({
      code: 1,
      err: 'error: The withdrawal has the state failed; operators decide only withdrawals in review\n',
    });
  });
});

describe('an installation whose database was restored', () => {
  it('makes withdrawals only after the worker has compared wallets and the operator has settled unmatched records', async () => {
    const restore = await backUp(app.ownerUrl);
    const forgotten = await btcQuote(wallet);
    await pay(wallet, forgotten);
    const [booked] = await app.sandbox.withdrawals(wallet.account);
    await restore();

    expect((await refusalOf(pay(wallet, forgotten))).code).toBe('QUOTE_NOT_FOUND');
    const checks = (): Promise<unknown[]> => app.db.query(`select from epoch_checks`);
    await until('the worker has compared', async () => (await checks()).length > 0);
    const refused = await refusalOf(pay(wallet, await btcQuote(wallet)));
    expect(refused).toMatchObject({ status: 502, result: { reason: 'database_restored' } });
    // A wallet that was connected after the restore cannot withdraw yet either. Its account may have paid before the
    // restore.
    const fresh = await app.wallet(project);
    expect((await refusalOf(pay(fresh, await btcQuote(fresh)))).status).toBe(502);

    app.clock.advance(ABSENCE_MS);
    await until('the unmatched record is listed', async () => (await list()).length > 0);
    const [record] = await list();
    expect(record).toMatchObject({ state: 'unmatched', exchangeId: booked?.refid, amount: '0.01' });
    expect(await refusalOf(pay(wallet, await btcQuote(wallet)))).toMatchObject({
      status: 409,
      code: 'GENERIC_INVALID_REQUEST',
      result: { exchangeTransactionId: booked?.refid },
    });
    expect(await settle(record?.id ?? '', '--reason', 'paid before the restore')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^UNMATCHED RECORD\n/) as string,
    });
    expect((await pay(wallet, await btcQuote(wallet))).success).toBe(true);
    await until('it is paid', async () => pay(fresh, await btcQuote(fresh)).then(Boolean, () => false));
    expect(await list()).toEqual([]);
    expect(await app.sandbox.withdrawals(wallet.account)).toHaveLength(2);
  });
});
