import pg from 'pg';
import { WithdrawalHarness } from '../testing/index.js';

describe('the outcome of a submission that could not be stored', () => {
  let harness: WithdrawalHarness;
  let other: pg.Client;
  beforeAll(async () => (harness = await WithdrawalHarness.create({ DATABASE_LOCK_TIMEOUT_MS: '50' })));
  afterAll(() => harness.close());
  beforeEach(async () => {
    harness.exchange.reset();
    await harness.begin();
    other = new pg.Client(harness.ownerUrl);
    await other.connect();
    // Another transaction locks the wallet before the exchange responds.
    const lock = async (): Promise<void> => {
      await other.query('begin');
      await other.query('select from wallets where id = $1 for update', [harness.wallet.id]);
    };
    harness.exchange.onSubmission = () => {
      harness.exchange.gate = lock();
    };
  });
  afterEach(() => other.end());

  it.each(['refuse', 'verify', 'pause'] as const)(
    'is a conflict, and the withdrawal counts as unknown and is not sent again: %s',
    async (script) => {
      harness.exchange.script = [script];
      const quote = await harness.quote();
      await expect(harness.execute(quote)).rejects.toMatchObject({ code: 'GENERIC_INVALID_REQUEST', status: 409 });
      expect(await harness.withdrawalOf(quote)).toMatchObject({ state: 'submitting', errorCode: null });
      await other.query('rollback');
      const { id } = await harness.execute(quote);
      expect(await harness.withdrawalOf(quote)).toMatchObject({ id, state: 'unknown' });
      expect(harness.exchange.submissions).toBe(1);
    },
  );

  it('is the acceptance, which the worker finds in the history of the exchange', async () => {
    const quote = await harness.quote();
    const { id } = await harness.execute(quote);
    expect(await harness.withdrawalOf(quote)).toMatchObject({ id, state: 'submitting' });
    await other.query('rollback');
    await harness.work(10);
    expect(await harness.withdrawalOf(quote)).toMatchObject({ state: 'submitted', exchangeId: 'X1' });
    expect(harness.exchange.submissions).toBe(1);
  });
});
