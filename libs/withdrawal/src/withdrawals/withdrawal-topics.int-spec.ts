import pg from 'pg';
import { Amount } from '#money';
import { DomainError } from '#platform/errors';
import type { WithdrawMessageBody } from '#platform/events';
import { EXPIRED } from './refusal.js';
import type { Quote } from '../quote/quote.entity.js';
import { WithdrawalHarness, type SubmitScript } from '../testing/index.js';
import { bizNoOf, VerifyingClient } from '../testing/verifying-client.js';
import { WithdrawalTransitions } from './withdrawal-transitions.js';

const SETTLED_ROUNDS = 5;

describe('the message to the listeners of a quote', () => {
  let harness: WithdrawalHarness;
  beforeAll(async () => (harness = await WithdrawalHarness.create()));
  afterAll(() => harness.close());
  beforeEach(async () => {
    harness.exchange.ledger.length = 0;
    harness.exchange.script = [];
    harness.exchange.isDown = false;
    harness.exchange.balance = Amount.of('10');
    harness.exchange.challenges.require([]);
    await harness.begin();
  });
  const client = new VerifyingClient(() => harness);

  const told = async ({ id }: Pick<Quote, 'id'>): Promise<WithdrawMessageBody[]> => {
    const rows = await harness.db.query<{ body: WithdrawMessageBody }>(
      `select body from topic_messages where topic = $1 and organization_id = $2 and project_id = $3 order by position`,
      [id, harness.project.organizationId, harness.project.id],
    );
    return rows.map(({ body }) => body);
  };
  const ofQuote = (quote: Quote): Partial<WithdrawMessageBody> => ({
    type: 'withdraw',
    walletId: harness.wallet.externalId,
    exchange: 'kraken',
    quoteId: quote.id,
  });
  const refused = async (quote: Quote, input: object = {}): Promise<DomainError> => {
    const error: unknown = await harness.execute(quote, input).catch((thrown: unknown) => thrown);
    if (error instanceof DomainError) return error;
    throw new Error(`not refused: ${JSON.stringify(error)}`);
  };
  const messageOf = (quote: Quote, { message, code, details: { result } }: DomainError): object => ({
    ...ofQuote(quote),
    success: false,
    error: { error: message, type: code, code, message, ...(result !== undefined && { result }) },
  });
  const types = async (quote: Quote): Promise<(string | boolean | undefined)[]> =>
    (await told(quote)).map(({ success, error }) => error?.type ?? success);
  const progress = async (quote: Quote): Promise<unknown[]> =>
    (await told(quote)).map(({ step, stepIndex, totalSteps }) => [step, stepIndex, totalSteps]);

  it.each<SubmitScript>(['accept', 'answer_lost', 'request_lost', 'throw_after_send'])(
    'reports once that the money may have left, also after repeats and later checks: %s',
    async (script) => {
      harness.exchange.script = [script];
      const quote = await harness.quote();
      const { transactionId } = await harness.execute(quote);
      await harness.work(SETTLED_ROUNDS);
      await Promise.all([harness.execute(quote), harness.execute(quote, { autoDeleteIfInvalid: false })]);
      await refused(quote, { tag: 'another' });
      expect(await told(quote)).toEqual([{ ...ofQuote(quote), success: true, transactionId, step: 'complete' }]);
    },
  );

  it('reports a definite refusal once, with the same error as the response', async () => {
    harness.exchange.script = ['refuse'];
    const quote = await harness.quote();
    const error = await refused(quote);
    expect(await refused(quote)).toMatchObject({ code: error.code, message: error.message });
    expect(await told(quote)).toEqual([messageOf(quote, error)]);
  });

  it('reports each refusal before anything is sent, and then the success', async () => {
    const quote = await harness.quote();
    harness.exchange.balance = Amount.of('0.5');
    const poor = await refused(quote);
    harness.exchange.balance = Amount.of('10');
    harness.exchange.script = ['pause'];
    const paused = await refused(quote);
    await harness.execute(quote);
    const messages = await told(quote);
    expect(messages.slice(0, 2)).toEqual([messageOf(quote, poor), messageOf(quote, paused)]);
    expect(messages.map(({ success }) => success)).toEqual([false, false, true]);
  });

  it('reports the required verification, the wrong code, and then the success', async () => {
    harness.exchange.challenges.require([
      { type: 'GOOGLE', code: '111111' },
      { type: 'EMAIL', code: '222222' },
    ]);
    const quote = await harness.quote();
    const first = await client.told(quote);
    const bizNo = bizNoOf(first);
    await client.told(quote, { twofa: '999999' }, { bizNo });
    await client.execute(quote, { twofa: '111111', emailCode: '222222' }, { bizNo });
    expect(await types(quote)).toEqual(['WITHDRAWAL_2FA_REQUIRED_MULTI_STEPS', 'WITHDRAWAL_2FA_INCOMPLETE', true]);
    expect(await progress(quote)).toEqual([
      ['verification', 0, 2],
      ['verification', 0, 2],
      ['complete', undefined, undefined],
    ]);
    expect(JSON.stringify(await told(quote))).not.toMatch(/999999|111111|222222/);
  });

  it('reports the verification that the exchange wants in response to a submission', async () => {
    harness.exchange.script = ['verify'];
    const quote = await harness.quote();
    const error = await refused(quote);
    const verification = { step: 'verification', stepIndex: 0, totalSteps: 1 };
    expect(await told(quote)).toEqual([{ ...messageOf(quote, error), ...verification }]);
  });

  it('counts the needed steps and how many of them are verified', async () => {
    harness.exchange.challenges.require([
      { type: 'GOOGLE', code: '111111' },
      { type: 'EMAIL', code: '222222' },
    ]);
    const quote = await harness.quote();
    const bizNo = bizNoOf(await client.told(quote));
    await client.told(quote, { twofa: '111111' }, { bizNo });
    await client.told(quote, { emailCode: '222222' }, { bizNo, dryRun: true });
    expect(await progress(quote)).toEqual([
      ['verification', 0, 2],
      ['verification', 1, 2],
      ['dry_run', 2, 2],
    ]);
  });

  it('reports the expiry of the quote once', async () => {
    const [unused, waiting] = [await harness.quote(), await harness.quote({ amount: '2' })];
    harness.exchange.script = ['verify'];
    await refused(waiting);
    harness.clock.advance(3_600_000);
    await harness.work(1);
    for (const quote of [unused, waiting]) {
      expect([(await refused(quote)).code, (await refused(quote)).code]).toEqual([EXPIRED.code, EXPIRED.code]);
    }
    expect(await types(unused)).toEqual([EXPIRED.code]);
    expect((await types(waiting)).slice(1)).toEqual([EXPIRED.code]);
  });

  it('is sent for each dry run, and replaces a stored message with the same result', async () => {
    const quote = await harness.quote();
    const idOf = async (): Promise<unknown> =>
      (await harness.db.query(`select id from topic_messages where topic = $1`, [quote.id]))[0];
    const ready = await refused(quote, { dryRun: true });
    const first = await idOf();
    await refused(quote, { dryRun: true });
    expect(await idOf()).not.toEqual(first);
    harness.exchange.balance = Amount.of('0.5');
    const poor = await refused(quote, { dryRun: true });
    expect([ready.code, poor.code]).toEqual(['WITHDRAWAL_DRY_RUN_COMPLETE', 'WITHDRAWAL_INSUFFICIENT_BALANCE']);
    expect(await told(quote)).toEqual([ready, poor].map((error) => ({ ...messageOf(quote, error), step: 'dry_run' })));
  });

  it('reports no dry run after the execution', async () => {
    const quote = await harness.quote();
    await harness.execute(quote);
    await refused(quote, { dryRun: true });
    expect(await types(quote)).toEqual([true]);
  });

  it('is absent when another wallet executes the quote', async () => {
    const quote = await harness.quote();
    await harness.newWallet({ inSameProject: true });
    expect((await refused(quote)).code).toBe('QUOTE_NOT_FOUND');
    expect(await harness.db.query(`select from topic_messages where topic = $1`, [quote.id])).toEqual([]);
  });

  it('never reports a refusal once the money may have left', async () => {
    const quote = await harness.quote();
    await harness.execute(quote);
    await harness.get(WithdrawalTransitions).publishRefusal(quote, EXPIRED);
    expect(await types(quote)).toEqual([true]);
  });

  it('does not change the result of an execution when it cannot be published', async () => {
    const owner = new pg.Client(harness.ownerUrl);
    await owner.connect();
    await owner.query(`alter table topic_messages add constraint full_up check (false) not valid`);
    const [quote, poor] = [await harness.quote(), await harness.quote({ amount: '2' })];
    const answer = await harness.execute(quote);
    harness.exchange.balance = Amount.of('0.5');
    expect((await refused(poor)).code).toBe('WITHDRAWAL_INSUFFICIENT_BALANCE');
    await owner.query(`alter table topic_messages drop constraint full_up`);
    await owner.end();
    expect(await harness.withdrawalOf(quote)).toMatchObject({ id: answer.id, state: 'submitted', exchangeId: 'X1' });
    expect([await told(quote), await told(poor)]).toEqual([[], []]);
  });
});
