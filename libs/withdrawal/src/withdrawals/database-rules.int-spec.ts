import type { Quote } from '../quote/quote.entity.js';
import { WithdrawalHarness } from '../testing/index.js';

describe('the rules of the database for the role of the application', () => {
  let harness: WithdrawalHarness;
  let quote: Quote;
  beforeAll(async () => {
    harness = await WithdrawalHarness.create();
    harness.exchange.script = ['answer_lost'];
    quote = await harness.quote();
    await harness.execute(quote);
  });
  afterAll(() => harness.close());

  it.each([
    ['an illegal transition', `update withdrawals set state = 'created'`],
    ['sending again', `update withdrawals set state = 'submitting'`],
    ['changing the amount', `update withdrawals set amount_no_fee = 2, amount_with_fee = 2.0001`],
    ['changing the receiver', `update withdrawals set address = 'elsewhere'`],
    ['deleting a withdrawal', `delete from withdrawals`],
    ['deleting an attempt', `delete from withdrawal_attempts`],
    ['changing the request of an attempt', `update withdrawal_attempts set request = '{}'`],
    ['undoing the outcome of an attempt', `update withdrawal_attempts set outcome = 'not_sent'`],
    ['changing a quote', `update quotes set address = 'elsewhere'`],
    ['deleting a quote', `delete from quotes`],
    ['deleting history', `delete from transactions`],
    ['adding a transition', `insert into withdrawal_transitions values ('unknown', 'submitting')`],
    ['switching off the triggers', `alter table withdrawals disable trigger all`],
  ])('refuse %s', async (_name, sql) => {
    await expect(harness.db.query(sql)).rejects.toThrow();
  });

  it('refuse a second attempt of a withdrawal whose first attempt may have been sent', async () => {
    const second = `insert into withdrawal_attempts (id, withdrawal_id, wallet_id, credential_version, connector,
        connector_version, class, debit_key, receipt_key, total_before, free_before, known_ids, request, started_at, lease_until)
      select $1, withdrawal_id, wallet_id, credential_version, connector, connector_version, class, 'other', 'other',
        1, 1, known_ids, request, started_at, lease_until from withdrawal_attempts`;
    await expect(harness.db.query(second, [harness.clock.newId()])).rejects.toThrow(/withdrawal_attempts_one_live/);
  });

  it.each([
    ['another id of an accepted withdrawal', `update withdrawals set exchange_id = 'X9'`],
    ['no id of an accepted withdrawal', `update withdrawals set exchange_id = null`],
    ['another id of an accepted attempt', `update withdrawal_attempts set exchange_id = 'X9'`],
    [
      'another id of an attempt without a reference',
      `update withdrawal_attempts set exchange_id = 'X9', answer = jsonb_build_object('wrongId', exchange_id)`,
    ],
  ])('refuse %s', async (_name, sql) => {
    await harness.begin();
    await harness.execute(await harness.quote());
    await expect(harness.db.query(sql)).rejects.toThrow(/already linked|has the id/);
  });

  it('refuse another id of a withdrawal that has ended, also with the wrong id as evidence', async () => {
    Object.assign(harness.exchange, { exchangeClass: 'by_reference', keepsReferences: true });
    await harness.begin();
    await harness.execute(await harness.quote());
    Object.assign(harness.exchange.ledger.at(-1) ?? {}, { status: 'completed' });
    await harness.work(1);
    const evidence = `update withdrawal_attempts set exchange_id = 'X9', answer = jsonb_build_object('wrongId', exchange_id)`;
    await expect(harness.db.query(evidence)).rejects.toThrow(/has the id/);
  });
});
