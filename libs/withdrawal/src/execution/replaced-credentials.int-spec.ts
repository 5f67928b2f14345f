import { CredentialsReplaced, Wallets } from '#wallet';
import { WithdrawalBed } from '../testing/index.js';

const DAY_MS = 86_400_000;

describe('withdrawals of a wallet whose credentials are replaced', () => {
  let bed: WithdrawalBed;
  beforeAll(async () => (bed = await WithdrawalBed.create()));
  afterAll(() => bed.close());
  beforeEach(async () => {
    bed.venue.reset();
    await bed.newWallet();
  });

  const keptVersions = async (): Promise<string[]> => {
    const rows = await bed.db.query<{ version: string }>(
      `select version from replaced_credentials where wallet_id = $1`,
      [bed.wallet.id],
    );
    return rows.map(({ version }) => version);
  };

  it('never pays a quote from an account that the quote was not made for', async () => {
    const quote = await bed.quote();
    await bed.replaceCredentials({ isOtherAccount: true });
    await expect(bed.execute(quote)).rejects.toThrow(CredentialsReplaced);
    expect(bed.venue.submissions).toBe(0);
    expect(await bed.db.query(`select from withdrawals where quote_id = $1`, [quote.id])).toEqual([]);
  });

  it('refuses to begin when the credentials are replaced while the exchange is asked what must be asked', async () => {
    const quote = await bed.quote();
    let isReplaced = false;
    bed.venue.onRead = async () => {
      if (isReplaced) return;
      isReplaced = true;
      await bed.replaceCredentials({ isOtherAccount: true });
    };
    await expect(bed.execute(quote)).rejects.toThrow(CredentialsReplaced);
    expect(bed.venue.submissions).toBe(0);
  });

  it('settles what was sent with the credentials that sent it, whatever the new account shows', async () => {
    bed.venue.script = ['answer_lost'];
    let replacement: Promise<string> | undefined;
    bed.venue.onSubmission = () => {
      replacement = bed.replaceCredentials({ isOtherAccount: true });
    };
    const quote = await bed.quote();
    await bed.execute(quote);
    await replacement;
    expect(await keptVersions()).toEqual([quote.credentialVersion]);
    await bed.work(2);
    expect(await bed.withdrawalOf(quote)).toMatchObject({ state: 'submitted', exchangeId: 'X1' });
    Object.assign(bed.venue.ledger[0] ?? {}, { status: 'completed' });
    await bed.work(10);
    expect(await bed.withdrawalOf(quote)).toMatchObject({ state: 'completed' });
    expect(await keptVersions()).toEqual([]);
  });

  it('asks an operator when the credentials that sent it are erased', async () => {
    bed.venue.script = ['request_lost'];
    const quote = await bed.quote();
    await bed.execute(quote);
    await bed.replaceCredentials();
    await bed.db.query(`delete from replaced_credentials where wallet_id = $1`, [bed.wallet.id]);
    await bed.work(1);
    expect((await bed.withdrawalOf(quote)).state).toBe('review');
  });

  it('keeps no credentials that nothing needs', async () => {
    const quote = await bed.quote();
    await bed.execute(quote);
    Object.assign(bed.venue.ledger[0] ?? {}, { status: 'completed' });
    await bed.work(5);
    await bed.replaceCredentials();
    expect(await keptVersions()).toEqual([]);
  });

  it('keeps replaced credentials of a deleted wallet until the withdrawal is settled', async () => {
    const quote = await bed.quote();
    await bed.execute(quote);
    await bed.replaceCredentials();
    await bed.db.query(`update wallets set deleted_at = $2 where id = $1`, [bed.wallet.id, bed.clock.now()]);
    Object.assign(bed.venue.ledger[0] ?? {}, { status: 'completed' });
    await bed.work(10);
    expect((await bed.withdrawalOf(quote)).state).toBe('completed');
    expect(await keptVersions()).toEqual([]);
  });
});

describe('a withdrawal that the exchange accepted and does not show', () => {
  let bed: WithdrawalBed;
  beforeAll(async () => (bed = await WithdrawalBed.create()));
  afterAll(() => bed.close());
  beforeEach(async () => {
    bed.venue.reset();
    await bed.newWallet();
  });

  it('is found by its id when the clock of the exchange is an hour behind ours', async () => {
    const quote = await bed.quote();
    const answer = await bed.execute(quote);
    const record = bed.venue.ledger[0];
    if (record === undefined) throw new Error('nothing was booked');
    Object.assign(record, { status: 'completed', at: new Date(record.at.getTime() - 3_600_000) });
    await bed.work(3);
    expect(await bed.transactionStatus(answer)).toBe('ok');
  });

  it('becomes an operator’s after hours, and never pends for ever', async () => {
    const quote = await bed.quote();
    const answer = await bed.execute(quote);
    bed.venue.isLagging = true;
    await bed.work(3);
    expect((await bed.withdrawalOf(quote)).state).toBe('submitted');
    await bed.work(60, 300_000);
    expect((await bed.withdrawalOf(quote)).state).toBe('review');
    expect(await bed.transactionStatus(answer)).toBe('pending');
  });

  it('is followed on when the exchange shows it again in time', async () => {
    const quote = await bed.quote();
    await bed.execute(quote);
    bed.venue.isLagging = true;
    await bed.work(20, 300_000);
    bed.venue.isLagging = false;
    await bed.work(2, 300_000);
    bed.venue.isLagging = true;
    await bed.work(40, 300_000);
    expect((await bed.withdrawalOf(quote)).state).toBe('submitted');
  });

  it('becomes an operator’s when the exchange could not be asked for a week', async () => {
    const quote = await bed.quote();
    const answer = await bed.execute(quote);
    bed.venue.isDown = true;
    await bed.work(20, DAY_MS / 2);
    expect((await bed.withdrawalOf(quote)).state).toBe('review');
    expect(await bed.transactionStatus(answer)).toBe('pending');
  });

  it('becomes an operator’s when its credentials do not open for a week', async () => {
    const quote = await bed.quote();
    await bed.execute(quote);
    await bed.db.query(
      `update wallet_credentials set sealed = jsonb_set(sealed, '{fields,apiKey}', sealed->'fields'->'apiSecret')
        where wallet_id = $1`,
      [bed.wallet.id],
    );
    await bed.work(3, DAY_MS / 2);
    expect((await bed.withdrawalOf(quote)).state).toBe('submitted');
    await bed.work(20, DAY_MS / 2);
    expect((await bed.withdrawalOf(quote)).state).toBe('review');
  });

  it('becomes an operator’s when the exchange refuses to answer for hours, and not in an outage', async () => {
    const quote = await bed.quote();
    await bed.execute(quote);
    bed.venue.isDown = true;
    await bed.work(20, DAY_MS / 10);
    expect((await bed.withdrawalOf(quote)).state).toBe('submitted');
    bed.venue.isDown = false;
    bed.venue.refuses = 'credentials_invalid';
    await bed.work(60, 300_000);
    expect((await bed.withdrawalOf(quote)).state).toBe('review');
  });
});

describe('two wallets of a project that are the same account', () => {
  let bed: WithdrawalBed;
  beforeAll(async () => (bed = await WithdrawalBed.create()));
  afterAll(() => bed.close());
  beforeEach(async () => {
    bed.venue.reset();
    await bed.newWallet();
  });

  it('never complete two withdrawals by one record', async () => {
    bed.venue.script = ['request_lost', 'request_lost'];
    const first = await bed.quote();
    await bed.execute(first);
    await bed.newWallet({ inSameProject: true });
    const second = await bed.quote();
    await bed.execute(second);
    bed.venue.book({ asset: 'BTC', address: first.address, amount: first.amountWithFee.toString() });
    await bed.work(20);
    const withdrawals = [await bed.withdrawalOf(first), await bed.withdrawalOf(second)];
    expect(withdrawals.filter(({ exchangeId }) => exchangeId === 'X1').length).toBeLessThanOrEqual(1);
    expect(withdrawals.map(({ state }) => state)).toContain('review');
    expect(withdrawals.map(({ state }) => state)).not.toContain('failed');
  });

  it('wait for an equal withdrawal of the other one that is being sent', async () => {
    const first = await bed.quote();
    const firstWallet = bed.wallet;
    await bed.newWallet({ inSameProject: true });
    const second = await bed.quote();
    bed.venue.script = ['request_lost'];
    await bed.execute(second);
    let answer: () => void = () => undefined;
    bed.venue.gate = new Promise((resolve) => (answer = resolve));
    const arrived = new Promise<void>((resolve) => (bed.venue.onSubmission = resolve));
    const execution = bed.execute(first, { externalWalletId: firstWallet.externalId });
    await arrived;
    // It is booked already, and its answer is on the way.
    bed.venue.book({ asset: 'BTC', address: first.address, amount: first.amountWithFee.toString() });
    await bed.work(1);
    expect((await bed.withdrawalOf(second)).state).toBe('unknown');
    bed.venue.ledger.length = 0;
    answer();
    await execution;
    await bed.work(4);
    expect((await bed.withdrawalOf(first)).exchangeId).toBe('X1');
    expect(await bed.withdrawalOf(second)).toMatchObject({ state: 'unknown', exchangeId: null });
  });

  it('takes a record that the account of an equal withdrawal does not list', async () => {
    bed.venue.script = ['answer_lost'];
    const first = await bed.quote();
    await bed.execute(first);
    await bed.newWallet({ inSameProject: true });
    await bed.replaceCredentials({ isOtherAccount: true });
    bed.venue.script = ['request_lost'];
    const second = await bed.quote();
    await bed.execute(second);
    await bed.work(16);
    expect((await bed.withdrawalOf(first)).exchangeId).toBe('X1');
    expect((await bed.withdrawalOf(second)).state).toBe('unknown');
  });

  it('refuses an id of the exchange that another withdrawal has', async () => {
    const first = await bed.quote();
    await bed.execute(first);
    bed.venue.ledger.length = 0;
    await bed.newWallet({ inSameProject: true });
    const second = await bed.quote();
    const answer = await bed.execute(second);
    expect(await bed.withdrawalOf(second)).toMatchObject({ state: 'unknown', exchangeId: null });
    await bed.work(2);
    expect((await bed.withdrawalOf(second)).state).toBe('review');
    expect(await bed.transactionStatus(answer)).toBe('pending');
    expect(await bed.get(Wallets).get(bed.project, bed.wallet.externalId)).toMatchObject({ invalidApi: false });
  });
});
