import type { Input } from '#client';
import { eventually, until } from '#platform/testing';
import { refusalOf } from '../support/causeway-client.js';
import { PartnerSandbox } from '../support/partner-sandbox.js';
import { TestApp, type TestProjectWithClient, type TestWallet } from '../support/test-app.js';
import {
  btcQuote,
  execute,
  quote,
  savedAddress,
  settled,
  type ErrorBody,
  type ExecutionBody,
} from '../support/withdrawal-client.js';

/** Step of the clock, longer than the sandbox exchange needs to settle a withdrawal. */
const SETTLE_STEP_MS = 5_000;
const EXPIRED_MS = 301_000;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

interface DocumentedOperation {
  requestBody?: { content: Record<string, { examples?: Record<string, { value: object }> }> };
}

describe('executing a quote', () => {
  let app: TestApp;
  let project: TestProjectWithClient;
  let wallet: TestWallet;

  beforeAll(async () => {
    app = await TestApp.create({ worker: true });
    project = await app.project();
  });
  beforeEach(async () => {
    wallet = await app.wallet(project);
  });
  afterEach(() => app.sandbox.calm());
  afterAll(() => app.close());

  const armWithdraw = (fault: string, options: { error?: string; delayMs?: number; count?: number } = {}) =>
    app.sandbox.arm({ endpoint: 'Withdraw', fault, apiKey: wallet.account.apiKey, ...options });

  const pay = (quoteId: string, input: Omit<Input<'executeQuote'>, 'quoteId'> = {}) =>
    wallet.causeway.executeQuote({ quoteId, ...input });
  const refusedPayment = (...payment: Parameters<typeof pay>) => refusalOf(pay(...payment));

  it('moves the money once, and its transaction ends ok', async () => {
    const { id } = await btcQuote(wallet, '0.25');
    const { success, result } = await pay(id);
    expect([success, result.status]).toEqual([true, 'pending']);
    expect(result.id).toMatch(UUID);

    const { transactionId } = result;
    const pending = await wallet.causeway.getTransaction({ transactionId });
    expect(pending).toMatchObject({
      id: transactionId,
      walletId: wallet.walletId,
      status: 'pending',
      type: 'withdrawal',
      direction: 'out',
      amount: 0.25,
      currency: 'BTC',
      feeCost: 0.00015,
      addressTo: savedAddress(wallet, 'BTC', 'Bitcoin'),
      network: 'bitcoin',
    });
    const [booked, ...others] = await app.sandbox.withdrawals(wallet.account);
    expect(others).toEqual([]);
    expect(booked).toMatchObject({ amount: '0.25', fee: '0.00015', address: pending.addressTo });

    const done = await settled(app, wallet, pending.id, SETTLE_STEP_MS);
    expect(done).toMatchObject({ status: 'ok', amount: 0.25, exchangeTransactionId: booked?.refid });
    expect(done.hash).not.toBeNull();
  });

  it('works with the examples of the OpenAPI document', async () => {
    const examplesOf = (path: string, method: string): object[] => {
      const item = app.document.paths[path] as Record<string, DocumentedOperation> | undefined;
      const { examples = {} } = item?.[method]?.requestBody?.content['application/json'] ?? {};
      return Object.values(examples).map(({ value }) => value);
    };
    const quotes = examplesOf('/v0/wallet/withdraw/quote', 'post');
    const executions = examplesOf('/v0/wallet/withdraw/{quoteId}/execute', 'put');
    expect([quotes.length, executions.length]).toEqual([2, 2]);
    for (const example of quotes) {
      const quoted = await quote(wallet, example);
      expect([quoted.status, quoted.body.requirements]).toEqual([200, []]);
      const answers = [];
      for (const body of executions.toReversed()) answers.push(await execute(wallet, quoted.body.id, body));
      expect(answers.map(({ status, body }) => [status, body.type])).toEqual([
        [400, 'WITHDRAWAL_DRY_RUN_COMPLETE'],
        [200, undefined],
      ]);
    }
  });

  it('returns the recorded response at every repeat, and calls the exchange once', async () => {
    const { id } = await btcQuote(wallet);
    const first = await pay(id);
    const calls = await app.sandbox.countCalls(wallet.account, 'Withdraw');
    expect(await pay(id)).toEqual(first);
    await settled(app, wallet, first.result.transactionId, SETTLE_STEP_MS);
    app.clock.advance(EXPIRED_MS);
    expect(await pay(id)).toEqual(first);
    expect(calls).toBe(1);
    expect(await app.sandbox.countCalls(wallet.account, 'Withdraw')).toBe(1);
  });

  it('does not wait behind many quote requests for the same wallet', async () => {
    const { id } = await btcQuote(wallet);
    await app.sandbox.arm({ endpoint: 'WithdrawInfo', fault: 'latency', delayMs: 100, apiKey: wallet.account.apiKey });
    let waiting = 30;
    // On a slow machine, some reads are refused because they would wait too long.
    const reads = Promise.allSettled(Array.from({ length: waiting }, () => btcQuote(wallet).finally(() => waiting--)));
    await until('the reads call the exchange', async () => waiting < 30);
    const { result } = await pay(id);
    expect([result.status, waiting > 0]).toEqual(['pending', true]);
    await reads;
  });

  it('makes one call at the exchange and gets equal responses when it is requested twenty times at once', async () => {
    const { id } = await btcQuote(wallet);
    await armWithdraw('latency', { delayMs: 300 });
    const answers = await Promise.all(Array.from({ length: 20 }, () => execute(wallet, id)));
    expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1);
    expect(answers[0]?.status).toBe(200);
    expect(await app.sandbox.countCalls(wallet.account, 'Withdraw')).toBe(1);
    expect(await app.sandbox.withdrawals(wallet.account)).toHaveLength(1);
  });

  it('accepts a tag that the quote left out, and no other tag afterwards', async () => {
    const address = savedAddress(wallet, 'XRP', 'Ripple XRP');
    const quoted = await wallet.causeway.createQuote({ asset: 'XRP', amount: '50', address });
    expect(quoted.requirements.map(({ type }) => type)).toContain('tag');
    const { transactionId } = (await pay(quoted.id, { tag: '1000001' })).result;
    expect((await wallet.causeway.getTransaction({ transactionId })).tag).toBe('1000001');
    const executed = { status: 422, code: 'GENERIC_INVALID_REQUEST', result: { transactionId } };
    expect(await refusedPayment(quoted.id, { tag: '7' })).toMatchObject(executed);

    const tagged = await wallet.causeway.createQuote({ asset: 'XRP', amount: '60', address, tag: '1000001' });
    const differs = await refusedPayment(tagged.id, { tag: '7' });
    expect(differs).toMatchObject({ status: 400, code: 'GENERIC_VALIDATION_ERROR' });
  });

  it('reports in a dry run that nothing is missing, and moves no money', async () => {
    const { id } = await btcQuote(wallet);
    const dry = { params: { dryRun: true } };
    const complete = { status: 400, code: 'WITHDRAWAL_DRY_RUN_COMPLETE' };
    for (const report of [await refusedPayment(id, dry), await refusedPayment(id, dry)]) {
      expect(report).toMatchObject({ ...complete, result: { dryRun: true, readyToTransact: true } });
      // Some keys of Kraken require a code, and Kraken shows it only in its response to a withdrawal.
      expect(report.message).toMatch(/only to an execution whether it asks for a code/);
    }
    expect(await app.sandbox.withdrawals(wallet.account)).toEqual([]);
    expect((await pay(id)).success).toBe(true);
    expect(await refusedPayment(id, dry)).toMatchObject({ status: 409, code: 'GENERIC_INVALID_REQUEST' });
  });

  it('still returns its result after the wallet was deleted and connected again under the same wallet id', async () => {
    const [{ id }, open] = [await btcQuote(wallet), await btcQuote(wallet)];
    const paid = await pay(id);
    const { apiKey, apiSecret } = wallet.account;
    await wallet.causeway.deleteWallet();
    await wallet.causeway.connectWallet({ exchange: 'kraken', apiKey, apiSecret });
    expect(await pay(id)).toEqual(paid);
    const { withdrawal } = await wallet.causeway.getWithdrawal({ quoteId: id });
    expect(withdrawal?.transactionId).toBe(paid.result.transactionId);
    // The quote was made for the earlier wallet, so it can no longer be executed.
    expect(await refusedPayment(open.id)).toMatchObject({ status: 404, code: 'QUOTE_NOT_FOUND' });
    const stranger = await app.wallet(project);
    expect(await refusalOf(stranger.causeway.executeQuote({ quoteId: id }))).toMatchObject({ code: 'QUOTE_NOT_FOUND' });
    expect(await app.sandbox.withdrawals(wallet.account)).toHaveLength(1);
  });

  describe('is refused', () => {
    it('without the scope withdrawal', async () => {
      const reader = await app.project({ scopes: ['read', 'quote'], organizationId: project.organizationId });
      const answer = await reader.http.put<ErrorBody>(
        '/v0/wallet/withdraw/01890000-0000-7000-8000-000000000000/execute',
        { body: {}, headers: { 'x-svc-wallet-id': 'w' } },
      );
      expect([answer.status, answer.body.missing]).toEqual([403, ['withdrawal']]);
    });

    it('for a quote of another wallet, and for an unknown quote', async () => {
      const sibling = await app.wallet(project);
      const foreign = await btcQuote(sibling);
      for (const id of [foreign.id, '01890000-0000-7000-8000-000000000000', 'not-a-uuid', '1', '%27']) {
        const answer = await execute(wallet, id);
        expect([id, answer.status, answer.body.type]).toEqual([id, 404, 'QUOTE_NOT_FOUND']);
      }
      expect(await app.sandbox.withdrawals(sibling.account)).toEqual([]);
    });

    it('when the quote has expired unexecuted', async () => {
      const { id } = await btcQuote(wallet);
      app.clock.advance(EXPIRED_MS);
      expect(await refusedPayment(id)).toMatchObject({ status: 410, code: 'QUOTE_EXPIRED' });
      expect(await app.sandbox.countCalls(wallet.account, 'Withdraw')).toBe(0);
    });

    it('when the account does not allow the address', async () => {
      const address = 'bc1q5r7pezjvsdku62zap44ryk6ssfnrqre58gqvvq';
      const { id } = await wallet.causeway.createQuote({ asset: 'BTC', network: 'bitcoin', amount: '0.1', address });
      expect(await refusedPayment(id)).toMatchObject({
        status: 400,
        code: 'WITHDRAWAL_INVALID_ADDRESS',
        result: { reason: 'address_not_allowlisted' },
      });
    });

    it('when the balance has become too low since the quote', async () => {
      const [first, second] = [await btcQuote(wallet, '4'), await btcQuote(wallet, '3')];
      expect((await pay(first.id)).success).toBe(true);
      expect(await refusedPayment(second.id)).toMatchObject({ status: 400, code: 'WITHDRAWAL_INSUFFICIENT_BALANCE' });
    });

    it.each([{ twofa: 1 }, { tag: 7 }, { tag: '' }, { params: { dryRun: 'yes' } }, { params: 1 }, { bizNo: {} }])(
      'when a field has the wrong type: %j',
      async (body) => {
        const { id } = await btcQuote(wallet);
        const answer = await execute(wallet, id, body);
        expect([answer.status, answer.body.type]).toEqual([400, 'GENERIC_VALIDATION_ERROR']);
        expect(await app.sandbox.countCalls(wallet.account, 'Withdraw')).toBe(0);
      },
    );

    it('when the exchange rejects the key twice, and deletes the wallet unless the caller declines', async () => {
      const [kept, gone] = [await btcQuote(wallet), await btcQuote(wallet, '0.02')];
      await app.sandbox.revoke(wallet.account);
      const first = await refusedPayment(kept.id, { autoDeleteIfInvalid: false });
      expect(first).toMatchObject({ status: 400, code: 'WALLET_INVALID_CREDENTIALS' });
      expect(first.result).toEqual({ walletDeleted: false, deletionAt: null });
      expect((await refusedPayment(gone.id)).result).toEqual({ walletDeleted: true, deletionAt: null });
      expect((await refusedPayment(gone.id)).code).toBe('WALLET_NOT_FOUND');
    });
  });

  describe('when the exchange rejects the withdrawal', () => {
    it.each([
      ['EFunding:Insufficient funds', 400, 'WITHDRAWAL_INSUFFICIENT_BALANCE'],
      ['EFunding:Invalid amount', 400, 'WITHDRAWAL_AMOUNT_BELOW_MINIMUM'],
      ['EFunding:Unknown withdraw key', 400, 'WITHDRAWAL_INVALID_ADDRESS'],
      ['EFunding:Unknown asset', 400, 'WITHDRAWAL_ASSET_NOT_SUPPORTED'],
      ['EFunding:No funding method', 400, 'WITHDRAWAL_NETWORK_NOT_SUPPORTED'],
      ['EFunding:Too many addresses', 409, 'WITHDRAWAL_TOO_MANY_ADDRESSES'],
      ['EFunding:Duplicate withdraw key', 409, 'WITHDRAWAL_FUNDING_ADDRESS_CONFLICT'],
      ['EFunding:Max fee exceeded', 502, 'WITHDRAWAL_PROVIDER_ERROR'],
      ['EBM:limit exceeded', 400, 'WITHDRAWAL_KYC_REQUIRED'],
      ['EAuth:Account unconfirmed', 400, 'WITHDRAWAL_EMAIL_UNVERIFIED'],
      ['EGeneral:Permission denied', 422, 'WITHDRAWAL_PROVIDER_ERROR'],
    ])('with %s, returns %i %s at every repeat, and the transaction is failed', async (error, status, type) => {
      const { id } = await btcQuote(wallet);
      await armWithdraw('definite_refusal', { error });
      const first = await refusedPayment(id);
      expect([first.status, first.code]).toEqual([status, type]);
      const again = await refusedPayment(id);
      expect([again.status, again.code, again.message]).toEqual([status, type, first.message]);
      expect(again.retryAfterMs).toBe(first.retryAfterMs);
      expect(await app.sandbox.countCalls(wallet.account, 'Withdraw')).toBe(1);
      const [row] = await app.db.query<{ transaction_id: string }>(
        'select transaction_id from withdrawals where quote_id = $1',
        [id],
      );
      const { status: ended } = await wallet.causeway.getTransaction({ transactionId: row?.transaction_id ?? '' });
      expect(ended).toBe('failed');
    });

    it('with a rate limit before the submission, returns 429, and the same quote can be executed later', async () => {
      const { id } = await btcQuote(wallet);
      await app.sandbox.arm({ endpoint: 'WithdrawAddresses', fault: 'rate_limit', apiKey: wallet.account.apiKey });
      const first = await refusedPayment(id);
      expect(first).toMatchObject({ status: 429, code: 'WITHDRAWAL_RATE_LIMIT_EXCEEDED' });
      expect(first.retryAfterMs).toBeGreaterThan(0);
      app.clock.advance(first.retryAfterMs ?? 0);
      // The database, which shares the pause with the other processes, has a clock of its own.
      await app.db.query('update exchange_pauses set ends_at = clock_timestamp()');
      await eventually(async () => expect((await pay(id)).success).toBe(true));
      expect(await app.sandbox.withdrawals(wallet.account)).toHaveLength(1);
    });

    it('with a rate limit of withdrawals, every repeat gets the seconds that remain of the exchange’s pause', async () => {
      const partner = new PartnerSandbox(app, project);
      const owner = await partner.wallet({ mode: 'none', methods: [], relation: 'AND' });
      const { id: quoteId } = await partner.quote(owner, '0.01066608');
      const refused = () => refusalOf(owner.causeway.executeQuote({ quoteId }));
      const beganAt = performance.now();
      expect(await refused()).toMatchObject({
        status: 429,
        code: 'WITHDRAWAL_RATE_LIMIT_EXCEEDED',
        retryAfterMs: 30_000,
      });
      // Without a step of the clock: the database, which shares the pause with the other processes, would not make it.
      await eventually(async () => {
        const { status, code, retryAfterMs: ms } = await refused();
        const isRest = ms !== null && ms <= 28_000 && ms >= 29_000 - (performance.now() - beganAt);
        expect({ status, code, isRest }).toEqual({ status: 429, code: 'WITHDRAWAL_RATE_LIMIT_EXCEEDED', isRest: true });
      });
    });

    it('with a missing authenticator code, the same quote can be executed with the code', async () => {
      const { id } = await btcQuote(wallet);
      await armWithdraw('definite_refusal', { error: 'EAPI:OTP required' });
      expect(await refusedPayment(id)).toMatchObject({ status: 400, code: 'WITHDRAWAL_2FA_REQUIRED_TOTP' });
      await armWithdraw('definite_refusal', { error: 'EAPI:OTP required' });
      const wrong = await refusedPayment(id, { twofa: '000000' });
      expect(wrong).toMatchObject({ status: 400, code: 'WITHDRAWAL_2FA_INVALID' });
      expect((await pay(id, { twofa: '123456' })).success).toBe(true);
      expect(await app.sandbox.withdrawals(wallet.account)).toHaveLength(1);
    });
  });

  it('is refused above WITHDRAWAL_RATE_PER_MINUTE withdrawals, but a repeat still gets the recorded response', async () => {
    const limited = await TestApp.create({ env: { WITHDRAWAL_RATE_PER_MINUTE: '1' } });
    wallet = await limited.wallet(await limited.project());
    const [first, second] = [await btcQuote(wallet, '0.01'), await btcQuote(wallet, '0.02')];
    expect((await pay(first.id)).success).toBe(true);
    const refused = await refusedPayment(second.id);
    expect(refused).toMatchObject({ status: 429, code: 'WITHDRAWAL_RATE_LIMIT_EXCEEDED' });
    expect(refused.retryAfterMs).toBeGreaterThan(0);
    expect((await pay(first.id)).success).toBe(true);
    limited.clock.advance(61_000);
    expect((await pay(second.id)).success).toBe(true);
    await limited.close();
  });

  it('creates a transaction that only its own project can read', async () => {
    const { result } = await pay((await btcQuote(wallet)).id);
    const stranger = await app.project();
    for (const [causeway, transactionId] of [
      [stranger.causeway, result.transactionId],
      [wallet.causeway, '01890000-0000-7000-8000-000000000000'],
      [wallet.causeway, 'not-a-uuid'],
    ] as const) {
      const refusal = await refusalOf(causeway.getTransaction({ transactionId }));
      expect(refusal).toMatchObject({ status: 404, code: 'GENERIC_NOT_FOUND' });
    }
  });

  describe('with an unknown outcome', () => {
    const answered = async (): Promise<ExecutionBody['result']> => {
      const { id } = await btcQuote(wallet);
      const paid = await pay(id);
      expect(paid).toMatchObject({ success: true, result: { status: 'pending' } });
      expect(await pay(id)).toEqual(paid);
      return paid.result;
    };

    it.each(['answer_lost', 'hang_after', 'error_after', 'malformed_after', 'empty_after', 'result_null_after'])(
      'is reported as pending, and ends ok when the exchange’s history shows the withdrawal: %s',
      async (fault) => {
        await armWithdraw(fault);
        const { transactionId } = await answered();
        const done = await settled(app, wallet, transactionId, SETTLE_STEP_MS);
        expect(done.status).toBe('ok');
        expect(await app.sandbox.withdrawals(wallet.account)).toHaveLength(1);
        expect(await app.sandbox.countCalls(wallet.account, 'Withdraw')).toBe(1);
      },
    );

    it.each(['request_lost', 'hang_before', 'error_before', 'malformed_before', 'http_429'])(
      'is reported as pending, and ends failed when its absence is proven: %s',
      async (fault) => {
        await armWithdraw(fault);
        const { transactionId } = await answered();
        const done = await settled(app, wallet, transactionId, 61_000);
        expect(done.status).toBe('failed');
        expect(await app.sandbox.withdrawals(wallet.account)).toEqual([]);
        expect(await app.sandbox.countCalls(wallet.account, 'Withdraw')).toBe(1);
      },
    );

    it('prevents another withdrawal with the same asset, amount and address', async () => {
      await armWithdraw('answer_lost');
      // The lagging history keeps the outcome unknown.
      const history = { endpoint: 'WithdrawStatus', apiKey: wallet.account.apiKey };
      await app.sandbox.arm({ ...history, fault: 'history_lags', count: null, delayMs: 60_000 });
      const { transactionId } = await answered();
      const duplicate = await refusedPayment((await btcQuote(wallet)).id);
      expect(duplicate).toMatchObject({ status: 409, code: 'GENERIC_INVALID_REQUEST', result: { transactionId } });
      expect(await app.sandbox.withdrawals(wallet.account)).toHaveLength(1);
    });

    it('is settled after the wallet was deleted', async () => {
      await armWithdraw('answer_lost');
      const { transactionId } = await answered();
      expect((await wallet.causeway.deleteWallet()).success).toBe(true);
      expect((await settled(app, wallet, transactionId, SETTLE_STEP_MS)).status).toBe('ok');
    });
  });

  it('ends failed when the exchange fails a withdrawal after accepting it', async () => {
    wallet = await app.wallet(project, { settle: 'manual' });
    const { transactionId } = (await pay((await btcQuote(wallet)).id)).result;
    const [booked] = await app.sandbox.withdrawals(wallet.account);
    await app.sandbox.settle(booked?.refid ?? '', 'Failure');
    expect((await settled(app, wallet, transactionId, SETTLE_STEP_MS)).status).toBe('failed');
  });
});
