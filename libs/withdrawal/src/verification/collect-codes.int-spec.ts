import { CannotOpen } from '#platform/crypto';
import { WithdrawalHarness } from '../testing/index.js';
import { bizNoOf, VerifyingClient } from '../testing/verifying-client.js';
import { ChallengeStore } from './challenge-store.js';

const GOOGLE = { type: 'GOOGLE', code: '111111' } as const;
const EMAIL = { type: 'EMAIL', code: '222222' } as const;

describe('verifying before the payment', () => {
  let harness: WithdrawalHarness;
  beforeAll(async () => (harness = await WithdrawalHarness.create()));
  afterAll(() => harness.close());
  beforeEach(async () => {
    harness.exchange.ledger.length = 0;
    harness.exchange.submissions = 0;
    harness.exchange.script = [];
    harness.exchange.challenges.require([GOOGLE, EMAIL]);
    await harness.begin();
  });

  const client = new VerifyingClient(() => harness);
  const execute = client.execute.bind(client);
  const told = client.told.bind(client);

  describe('where the exchange wants all codes in one call', () => {
    beforeEach(() => harness.exchange.challenges.require([GOOGLE, EMAIL], { mode: 'all_at_once' }));

    it('collects the codes, sealed, and sends them together', async () => {
      const quote = await harness.quote();
      const bizNo = bizNoOf(await told(quote));
      const partial = await told(quote, { twofa: '111111' }, { bizNo });
      expect(partial).toMatchObject({
        code: 'WITHDRAWAL_2FA_INCOMPLETE',
        details: { result: { steps: [{ status: 'success', metadata: { collected: true } }, { status: 'pending' }] } },
      });
      const [kept] = await harness.db.query<{ text: string }>(
        `select sealed_codes::text as text from withdrawal_challenges where quote_id = $1`,
        [quote.id],
      );
      expect(kept?.text).toContain('twofa');
      expect(kept?.text).not.toContain('111111');
      expect(harness.exchange.challenges.received).toEqual([]);
      await execute(quote, { emailCode: '222222' }, { bizNo });
      expect(harness.exchange.challenges.received).toEqual(['GOOGLE 111111', 'EMAIL 222222']);
      expect([harness.exchange.submissions, harness.exchange.ledger.length]).toEqual([1, 1]);
      expect(await harness.db.query(`select from withdrawal_challenges where sealed_codes is not null`)).toEqual([]);
    });

    it('keeps the codes while nothing could be sent, and erases them after the quote has expired', async () => {
      const quote = await harness.quote();
      const bizNo = bizNoOf(await told(quote));
      harness.exchange.script = Array(5).fill('not_sent') as 'not_sent'[];
      const refused = await told(quote, { twofa: '111111', emailCode: '222222' }, { bizNo });
      expect(refused.code).toBe('WITHDRAWAL_PROVIDER_ERROR');
      await execute(quote, {}, { bizNo });
      expect(harness.exchange.ledger).toHaveLength(1);

      const other = await harness.quote({ amount: '2' });
      await told(other, { twofa: '111111' });
      const sealed = () => harness.db.query(`select from withdrawal_challenges where sealed_codes is not null`);
      expect(await sealed()).toHaveLength(1);
      const store = harness.get(ChallengeStore);
      expect(await store.eraseAbandonedCodes(harness.clock.now())).toBe(0);
      harness.clock.advance(301_000);
      expect(await store.eraseAbandonedCodes(harness.clock.now())).toBe(1);
      expect(await sealed()).toEqual([]);
    });

    it('sends no code that was collected for another quote', async () => {
      const quote = await harness.quote();
      await told(quote, { twofa: '111111' }, { bizNo: bizNoOf(await told(quote)) });
      const other = await harness.quote();
      const bizNo = bizNoOf(await told(other));
      await told(other, { twofa: '333333' }, { bizNo });
      await harness.db.query(
        `update withdrawal_challenges set sealed_codes = (select sealed_codes from withdrawal_challenges where quote_id = $1)
          where quote_id = $2`,
        [quote.id, other.id],
      );
      await expect(execute(other, { emailCode: '222222' }, { bizNo })).rejects.toThrow(CannotOpen);
      expect(harness.exchange.challenges.received).toEqual([]);
    });

    it('asks again only for the code that was wrong', async () => {
      const quote = await harness.quote();
      const bizNo = bizNoOf(await told(quote));
      const refused = await told(quote, { twofa: '111111', emailCode: '9' }, { bizNo });
      expect(refused).toMatchObject({
        code: 'WITHDRAWAL_2FA_INCOMPLETE',
        details: { result: { mfa: { verified: { GOOGLE: true, EMAIL: false } } } },
      });
      expect(refused.details?.result?.mfa?.attempts).toHaveLength(2);
      await execute(quote, { emailCode: '222222' }, { bizNo });
      expect(harness.exchange.challenges.received).toEqual(['GOOGLE 111111', 'EMAIL 9', 'EMAIL 222222']);
      expect(harness.exchange.ledger).toHaveLength(1);
    });

    it('erases a collected code once the exchange reports the step of the code as verified', async () => {
      const quote = await harness.quote();
      const bizNo = bizNoOf(await told(quote));
      const dry = { dryRun: true, bizNo };
      await told(quote, { twofa: '111111', emailCode: '222222' }, dry);
      harness.exchange.challenges.confirm('EMAIL');
      expect((await told(quote, {}, dry)).code).toBe('WITHDRAWAL_DRY_RUN_COMPLETE');
      const kept = await harness.db.query<{ fields: string[] }>(
        `select array(select jsonb_object_keys(sealed_codes)) as fields from withdrawal_challenges where quote_id = $1`,
        [quote.id],
      );
      expect(kept).toEqual([{ fields: ['twofa'] }]);
      await execute(quote, {}, { bizNo });
      expect(harness.exchange.challenges.received).toEqual(['GOOGLE 111111']);
    });

    it('locks the quote after five wrong codes', async () => {
      const quote = await harness.quote();
      const bizNo = bizNoOf(await told(quote));
      await told(quote, { twofa: '8', emailCode: '9' }, { bizNo });
      await told(quote, { twofa: '8', emailCode: '9' }, { bizNo });
      expect(await told(quote, { twofa: '8', emailCode: '9' }, { bizNo })).toMatchObject({
        code: 'WITHDRAWAL_2FA_INVALID',
        details: { result: { locked: true } },
      });
      expect((await told(quote, { twofa: '111111' }, { bizNo })).code).toBe('WITHDRAWAL_2FA_INVALID');
    });
  });

  describe('a dry run', () => {
    it('moves no money, sends no second email, and reports when no verification is missing', async () => {
      const quote = await harness.quote();
      const dry = { dryRun: true };
      const bizNo = bizNoOf(await told(quote, {}, dry));
      expect((await told(quote, {}, dry)).code).toBe('WITHDRAWAL_2FA_REQUIRED_MULTI_STEPS');
      expect((await told(quote, { twofa: '111111' }, { ...dry, bizNo })).code).toBe('WITHDRAWAL_2FA_INCOMPLETE');
      const done = await told(quote, { emailCode: '222222' }, { ...dry, bizNo });
      expect(done).toMatchObject({
        code: 'WITHDRAWAL_DRY_RUN_COMPLETE',
        details: {
          result: { dryRun: true, readyToTransact: true, bizNo, mfa: { verified: { GOOGLE: true, EMAIL: true } } },
        },
      });
      expect([harness.exchange.submissions, harness.exchange.challenges.opened]).toEqual([0, 1]);
      expect(await harness.db.query(`select from withdrawals where quote_id = $1`, [quote.id])).toEqual([]);
      await execute(quote, {}, { bizNo });
      expect(harness.exchange.ledger).toHaveLength(1);
    });

    it('keeps collected codes for the execution', async () => {
      harness.exchange.challenges.require([GOOGLE, EMAIL], { mode: 'all_at_once' });
      const quote = await harness.quote();
      const done = await told(quote, { twofa: '111111', emailCode: '222222' }, { dryRun: true });
      expect(done.code).toBe('WITHDRAWAL_DRY_RUN_COMPLETE');
      expect(harness.exchange.challenges.received).toEqual([]);
      await execute(quote, {}, { bizNo: bizNoOf(done) });
      expect(harness.exchange.ledger).toHaveLength(1);
    });

    it('reports the kind of code that the exchange required in response to an earlier submission', async () => {
      harness.exchange.challenges.require([]);
      harness.exchange.script = ['verify'];
      const quote = await harness.quote();
      await told(quote);
      const asked = await told(quote, {}, { dryRun: true });
      expect(asked).toMatchObject({ code: 'WITHDRAWAL_2FA_REQUIRED_TOTP', details: { result: { method: 'GOOGLE' } } });
      expect((await told(quote, { smsCode: '1' })).code).toBe('WITHDRAWAL_2FA_METHOD_NOT_SUPPORTED');
      expect((await told(quote, { twofa: '1' }, { dryRun: true })).code).toBe('WITHDRAWAL_DRY_RUN_COMPLETE');
      await execute(quote, { twofa: '1' });
      expect(harness.exchange.ledger).toHaveLength(1);
    });
  });
});
