import { DAY_MS } from '#platform/clock';
import { CredentialsReplaced, Wallets } from '#wallet';
import { eraseReplacedCredentials } from '#wallet/testing';
import { WithdrawalHarness } from '../testing/index.js';

describe('withdrawals of a wallet whose credentials are replaced', () => {
  let harness: WithdrawalHarness;
  beforeAll(async () => (harness = await WithdrawalHarness.create()));
  afterAll(() => harness.close());
  beforeEach(async () => {
    harness.exchange.reset();
    await harness.begin();
  });

  const keptVersions = async (): Promise<string[]> => {
    const rows = await harness.db.query<{ version: string }>(
      `select version from replaced_credentials where wallet_id = $1`,
      [harness.wallet.id],
    );
    return rows.map(({ version }) => version);
  };

  it('are never paid from another account than that of the quote', async () => {
    const quote = await harness.quote();
    await harness.replaceCredentials({ isOtherAccount: true });
    await expect(harness.execute(quote)).rejects.toThrow(CredentialsReplaced);
    expect(harness.exchange.submissions).toBe(0);
    expect(await harness.db.query(`select from withdrawals where quote_id = $1`, [quote.id])).toEqual([]);
  });

  it('are never checked by a dry run at another account than that of the quote', async () => {
    const quote = await harness.quote();
    await harness.replaceCredentials({ isOtherAccount: true });
    await expect(harness.execute(quote, { dryRun: true })).rejects.toThrow(CredentialsReplaced);
  });

  it('are refused when the credentials are replaced during the checks', async () => {
    const quote = await harness.quote();
    let isReplaced = false;
    harness.exchange.onRead = async () => {
      if (isReplaced) return;
      isReplaced = true;
      await harness.replaceCredentials({ isOtherAccount: true });
    };
    await expect(harness.execute(quote)).rejects.toThrow(CredentialsReplaced);
    expect(harness.exchange.submissions).toBe(0);
  });

  it('are not found while they wait for a code and the wallet was deleted and connected again', async () => {
    harness.exchange.script = ['verify'];
    const quote = await harness.quote();
    await expect(harness.execute(quote)).rejects.toMatchObject({ code: 'WITHDRAWAL_2FA_REQUIRED_TOTP' });
    const { id, externalId: externalWalletId } = harness.wallet;
    await harness.db.query(`update wallets set deleted_at = $2 where id = $1`, [id, harness.clock.now()]);
    await harness.newWallet({ inSameProject: true, externalWalletId });
    await expect(harness.execute(quote)).rejects.toMatchObject({ code: 'QUOTE_NOT_FOUND' });
    expect(harness.exchange.submissions).toBe(1);
  });

  it('are settled with the credentials that sent them', async () => {
    harness.exchange.script = ['answer_lost'];
    let replacement: Promise<string> | undefined;
    harness.exchange.onSubmission = () => {
      replacement = harness.replaceCredentials({ isOtherAccount: true });
    };
    const quote = await harness.quote();
    await harness.execute(quote);
    await replacement;
    expect(await keptVersions()).toEqual([quote.credentialVersion]);
    await harness.work(2);
    expect(await harness.withdrawalOf(quote)).toMatchObject({ state: 'submitted', exchangeId: 'X1' });
    Object.assign(harness.exchange.ledger[0] ?? {}, { status: 'completed' });
    await harness.work(10);
    expect(await harness.withdrawalOf(quote)).toMatchObject({ state: 'completed' });
    expect(await keptVersions()).toEqual([]);
  });

  it('go to an operator when the credentials that sent them are erased', async () => {
    harness.exchange.script = ['request_lost'];
    const quote = await harness.quote();
    await harness.execute(quote);
    await harness.replaceCredentials();
    await eraseReplacedCredentials(harness.ownerUrl, harness.wallet);
    await harness.work(1);
    expect((await harness.withdrawalOf(quote)).state).toBe('review');
  });

  it('hold no replaced credentials when they were settled before the replacement', async () => {
    const quote = await harness.quote();
    await harness.execute(quote);
    Object.assign(harness.exchange.ledger[0] ?? {}, { status: 'completed' });
    await harness.work(5);
    await harness.replaceCredentials();
    expect(await keptVersions()).toEqual([]);
  });

  it('keep the replaced credentials of a deleted wallet until the withdrawals are settled', async () => {
    const quote = await harness.quote();
    await harness.execute(quote);
    await harness.replaceCredentials();
    await harness.db.query(`update wallets set deleted_at = $2 where id = $1`, [
      harness.wallet.id,
      harness.clock.now(),
    ]);
    await harness.work(3);
    expect((await harness.withdrawalOf(quote)).state).toBe('submitted');
    expect(await keptVersions()).toEqual([quote.credentialVersion]);
    Object.assign(harness.exchange.ledger[0] ?? {}, { status: 'completed' });
    await harness.work(10);
    expect((await harness.withdrawalOf(quote)).state).toBe('completed');
    expect(await keptVersions()).toEqual([]);
  });
});

describe('an accepted withdrawal', () => {
  let harness: WithdrawalHarness;
  beforeAll(async () => (harness = await WithdrawalHarness.create()));
  afterAll(() => harness.close());
  beforeEach(async () => {
    harness.exchange.reset();
    await harness.begin();
  });

  it('is found by its id when the clock of the exchange is an hour behind ours', async () => {
    const quote = await harness.quote();
    const answer = await harness.execute(quote);
    const record = harness.exchange.ledger[0];
    if (record === undefined) throw new Error('nothing was booked');
    Object.assign(record, { status: 'completed', at: new Date(record.at.getTime() - 3_600_000) });
    await harness.work(3);
    expect(await harness.transactionStatus(answer)).toBe('ok');
  });

  it('goes to an operator after some hours when the exchange never lists it', async () => {
    const quote = await harness.quote();
    const answer = await harness.execute(quote);
    harness.exchange.isLagging = true;
    await harness.work(3);
    expect((await harness.withdrawalOf(quote)).state).toBe('submitted');
    await harness.work(60, 300_000);
    expect((await harness.withdrawalOf(quote)).state).toBe('review');
    expect(await harness.transactionStatus(answer)).toBe('pending');
  });

  it('does not go to an operator when the exchange lists it in time, even if it is missing again later', async () => {
    const quote = await harness.quote();
    await harness.execute(quote);
    harness.exchange.isLagging = true;
    await harness.work(20, 300_000);
    harness.exchange.isLagging = false;
    await harness.work(2, 300_000);
    harness.exchange.isLagging = true;
    await harness.work(40, 300_000);
    expect((await harness.withdrawalOf(quote)).state).toBe('submitted');
  });

  it('goes to an operator when the exchange could not be queried for a week', async () => {
    const quote = await harness.quote();
    const answer = await harness.execute(quote);
    harness.exchange.isDown = true;
    await harness.work(20, DAY_MS / 2);
    expect((await harness.withdrawalOf(quote)).state).toBe('review');
    expect(await harness.transactionStatus(answer)).toBe('pending');
  });

  it.each(['unavailable', 'rate_limited'] as const)(
    'does not go to an operator while the exchange responds with the error %s for two days',
    async (kind) => {
      const quote = await harness.quote();
      await harness.execute(quote);
      harness.exchange.refuses = kind;
      await harness.work(20, DAY_MS / 10);
      expect((await harness.withdrawalOf(quote)).state).toBe('submitted');
    },
  );

  it('goes to an operator when its credentials cannot be decrypted for a week', async () => {
    const quote = await harness.quote();
    await harness.execute(quote);
    await harness.db.query(
      `update wallet_credentials set sealed = jsonb_set(sealed, '{fields,apiKey}', sealed->'fields'->'apiSecret')
        where wallet_id = $1`,
      [harness.wallet.id],
    );
    await harness.work(3, DAY_MS / 2);
    expect((await harness.withdrawalOf(quote)).state).toBe('submitted');
    await harness.work(20, DAY_MS / 2);
    expect((await harness.withdrawalOf(quote)).state).toBe('review');
  });

  it('goes to an operator when the exchange refuses its credentials for hours, but not in an outage of two days', async () => {
    const quote = await harness.quote();
    await harness.execute(quote);
    harness.exchange.isDown = true;
    await harness.work(20, DAY_MS / 10);
    expect((await harness.withdrawalOf(quote)).state).toBe('submitted');
    harness.exchange.isDown = false;
    harness.exchange.refuses = 'credentials_invalid';
    await harness.work(60, 300_000);
    expect((await harness.withdrawalOf(quote)).state).toBe('review');
  });
});

describe('two wallets of a project that may be the same account', () => {
  let harness: WithdrawalHarness;
  beforeAll(async () => (harness = await WithdrawalHarness.create()));
  afterAll(() => harness.close());
  beforeEach(async () => {
    harness.exchange.reset();
    await harness.begin();
  });

  it('never link one record of the exchange to two withdrawals', async () => {
    harness.exchange.script = ['request_lost', 'request_lost'];
    const first = await harness.quote();
    await harness.execute(first);
    await harness.newWallet({ inSameProject: true });
    const second = await harness.quote();
    await harness.execute(second);
    harness.exchange.book({ asset: 'BTC', address: first.address, amount: first.amountWithFee.toString() });
    await harness.work(20);
    const withdrawals = [await harness.withdrawalOf(first), await harness.withdrawalOf(second)];
    expect(withdrawals.filter(({ exchangeId }) => exchangeId === 'X1').length).toBeLessThanOrEqual(1);
    expect(withdrawals.map(({ state }) => state)).toContain('review');
    expect(withdrawals.map(({ state }) => state)).not.toContain('failed');
  });

  it('link no record while an equal withdrawal of the other wallet is being sent', async () => {
    const first = await harness.quote();
    const firstWallet = harness.wallet;
    await harness.newWallet({ inSameProject: true });
    const second = await harness.quote();
    harness.exchange.script = ['request_lost'];
    await harness.execute(second);
    let answer: () => void = () => undefined;
    harness.exchange.gate = new Promise((resolve) => (answer = resolve));
    const arrived = new Promise<void>((resolve) => (harness.exchange.onSubmission = resolve));
    const execution = harness.execute(first, { externalWalletId: firstWallet.externalId });
    await arrived;
    // The exchange has booked the withdrawal, and the response is on its way.
    harness.exchange.book({ asset: 'BTC', address: first.address, amount: first.amountWithFee.toString() });
    await harness.work(1);
    expect((await harness.withdrawalOf(second)).state).toBe('unknown');
    harness.exchange.ledger.length = 0;
    answer();
    await execution;
    await harness.work(4);
    expect((await harness.withdrawalOf(first)).exchangeId).toBe('X1');
    expect(await harness.withdrawalOf(second)).toMatchObject({ state: 'unknown', exchangeId: null });
  });

  it('link a record despite an equal withdrawal of the other wallet when the account of the other wallet does not list the record', async () => {
    harness.exchange.script = ['answer_lost'];
    const first = await harness.quote();
    await harness.execute(first);
    await harness.newWallet({ inSameProject: true });
    await harness.replaceCredentials({ isOtherAccount: true });
    harness.exchange.script = ['request_lost'];
    const second = await harness.quote();
    await harness.execute(second);
    // On an idle machine, the record is linked after about 14 rounds.
    await harness.work(30);
    expect((await harness.withdrawalOf(first)).exchangeId).toBe('X1');
    expect((await harness.withdrawalOf(second)).state).toBe('unknown');
  });

  it('leave a withdrawal to an operator when two records fit, of which one is linked to a withdrawal of the other wallet', async () => {
    const first = await harness.quote();
    await harness.execute(first);
    const linked = harness.exchange.ledger.splice(0);
    await harness.newWallet({ inSameProject: true });
    harness.exchange.script = ['request_lost'];
    const second = await harness.quote();
    await harness.execute(second);
    // The history shows the first record only now, and it shows another record that fits.
    harness.exchange.ledger.push(...linked);
    harness.exchange.book({ asset: 'BTC', address: second.address, amount: second.amountWithFee.toString() });
    await harness.work(2);
    expect(await harness.withdrawalOf(second)).toMatchObject({ state: 'review', exchangeId: null });
  });

  it('leave a withdrawal to an operator when the exchange gives it the id of another withdrawal', async () => {
    const first = await harness.quote();
    await harness.execute(first);
    harness.exchange.ledger.length = 0;
    await harness.newWallet({ inSameProject: true });
    const second = await harness.quote();
    const answer = await harness.execute(second);
    expect(await harness.withdrawalOf(second)).toMatchObject({ state: 'unknown', exchangeId: null });
    await harness.work(2);
    expect((await harness.withdrawalOf(second)).state).toBe('review');
    expect(await harness.transactionStatus(answer)).toBe('pending');
    expect(await harness.get(Wallets).get(harness.project, harness.wallet.externalId)).toMatchObject({
      invalidApi: false,
    });
  });
});
