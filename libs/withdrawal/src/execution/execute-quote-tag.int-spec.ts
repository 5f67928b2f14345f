import { Secret } from '#platform/crypto';
import { type SubmitScript, WithdrawalHarness } from '../testing/index.js';

/** Longer than the lifetime of a quote. */
const EXPIRED_MS = 301_000;
const CODE = { codes: { twofa: new Secret('1') } };
const REFUSED_TAG = { code: 'GENERIC_VALIDATION_ERROR', details: { result: { fields: [{ field: 'tag' }] } } };
const WITHDRAWAL_ERROR = expect.stringMatching(/^WITHDRAWAL_/) as unknown;

describe('the tag of an execution', () => {
  let harness: WithdrawalHarness;
  beforeAll(async () => (harness = await WithdrawalHarness.create()));
  afterAll(() => harness.close());
  beforeEach(async () => {
    harness.exchange.ledger.length = 0;
    harness.exchange.submissions = 0;
    harness.exchange.script = [];
    await harness.newWallet();
  });

  it('may be given if the quote left it out, and must otherwise equal the tag of the quote', async () => {
    const tagged = await harness.quote({ tag: '42', network: 'ripple' });
    await expect(harness.execute(tagged, { tag: '43' })).rejects.toMatchObject({ code: 'GENERIC_VALIDATION_ERROR' });
    await expect(harness.execute(tagged, { tag: null })).rejects.toMatchObject({ code: 'GENERIC_VALIDATION_ERROR' });
    await harness.execute(tagged, { tag: '42' });

    const untagged = await harness.quote({ amount: '2', network: 'ripple' });
    await expect(harness.execute(untagged, { tag: 'seven' })).rejects.toMatchObject({
      code: 'GENERIC_VALIDATION_ERROR',
    });
    const answer = await harness.execute(untagged, { tag: '7' });
    expect((await harness.withdrawalOf(untagged)).tag).toBe('7');
    await expect(harness.execute(untagged, { tag: '8' })).rejects.toMatchObject({ status: 422 });
    await expect(harness.execute(untagged, { tag: null })).rejects.toMatchObject({ status: 422 });
    expect(await harness.execute(untagged)).toEqual(answer);

    const without = await harness.quote({ amount: '3' });
    await expect(harness.execute(without, { tag: '7' })).rejects.toMatchObject({ code: 'GENERIC_VALIDATION_ERROR' });
  });

  it('is never sent when it differs from the recorded tag', async () => {
    const quote = await harness.quote({ network: 'ripple' });
    harness.exchange.script = Array<SubmitScript>(5).fill('not_sent');
    await expect(harness.execute(quote, { tag: '1' })).rejects.toMatchObject({ code: 'WITHDRAWAL_PROVIDER_ERROR' });
    await expect(harness.execute(quote, { tag: '2' })).rejects.toMatchObject(REFUSED_TAG);
    const both = await Promise.allSettled([harness.execute(quote, { tag: '1' }), harness.execute(quote, { tag: '2' })]);
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);

    const fresh = await harness.quote({ network: 'ripple', amount: '2' });
    const race = await Promise.allSettled([harness.execute(fresh, { tag: '1' }), harness.execute(fresh, { tag: '2' })]);
    expect(race.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(race).toContainEqual({ status: 'rejected', reason: expect.objectContaining({ status: 422 }) as unknown });
    expect(harness.exchange.submissions).toBe(2);
  });

  it.each<[string, SubmitScript[], { tag?: string }]>([
    ['the exchange asked for a code', ['verify'], {}],
    ['the exchange asked for a code for the tag 1', ['verify'], { tag: '1' }],
    ['the exchange limited the rate', ['pause'], {}],
    ['nothing could be sent', Array<SubmitScript>(5).fill('not_sent'), {}],
  ])(
    'gets a validation error, and not the 422 of an executed quote, when it is changed after %s',
    async (_what, script, first) => {
      harness.exchange.script = script;
      const quote = await harness.quote({ network: 'ripple' });
      await expect(harness.execute(quote, first)).rejects.toMatchObject({ code: WITHDRAWAL_ERROR });
      const { submissions } = harness.exchange;
      for (const input of [{ tag: '5' }, { tag: '5', ...CODE }, { tag: '5', dryRun: true }]) {
        const refused: unknown = await harness.execute(quote, input).catch((error: unknown) => error);
        expect(refused).toMatchObject(REFUSED_TAG);
        expect((refused as Error).message).toContain('request a quote with the other tag');
        expect(refused).not.toHaveProperty('details.result.transactionId');
      }
      expect(harness.exchange.submissions).toBe(submissions);
      await harness.execute(quote, { ...first, ...CODE });
      expect((await harness.withdrawalOf(quote)).tag).toBe(first.tag ?? null);
      await expect(harness.execute(quote, { tag: '5' })).rejects.toMatchObject({ status: 422 });
    },
  );

  it.each(['answer_lost', 'request_lost'] as const)(
    'gets a 422 with the id of the transaction when it is changed after the withdrawal may have been sent: %s',
    async (script) => {
      harness.exchange.script = [script];
      const quote = await harness.quote({ network: 'ripple' });
      const { transactionId } = await harness.execute(quote);
      const executed = { status: 422, details: { result: { transactionId } } };
      await expect(harness.execute(quote, { tag: '5' })).rejects.toMatchObject(executed);
      await expect(harness.execute(quote, { tag: '5', dryRun: true })).rejects.toMatchObject(executed);
      expect(harness.exchange.submissions).toBe(1);
    },
  );

  it('gets the recorded refusal of the exchange, even if it differs from the tag that was refused', async () => {
    harness.exchange.script = ['refuse'];
    const quote = await harness.quote({ network: 'ripple' });
    const refused = { code: 'WITHDRAWAL_AMOUNT_BELOW_MINIMUM' };
    await expect(harness.execute(quote)).rejects.toMatchObject(refused);
    await expect(harness.execute(quote, { tag: '5' })).rejects.toMatchObject(refused);
    await expect(harness.execute(quote, { tag: '5', dryRun: true })).rejects.toMatchObject(refused);
    expect(harness.exchange.submissions).toBe(1);
  });

  it('gets QUOTE_EXPIRED for an expired quote, even if it differs from the earlier tag', async () => {
    const fresh = await harness.quote({ network: 'ripple', tag: '1' });
    harness.exchange.script = ['verify'];
    const tried = await harness.quote({ network: 'ripple', amount: '2' });
    await expect(harness.execute(tried)).rejects.toMatchObject({ code: 'WITHDRAWAL_2FA_REQUIRED_TOTP' });
    harness.clock.advance(EXPIRED_MS);
    for (const input of [{ tag: '5', dryRun: true }, { tag: '5' }, { tag: '5', ...CODE }, { tag: '5', dryRun: true }]) {
      await expect(harness.execute(fresh, input)).rejects.toMatchObject({ code: 'QUOTE_EXPIRED', status: 410 });
      await expect(harness.execute(tried, input)).rejects.toMatchObject({ code: 'QUOTE_EXPIRED', status: 410 });
    }
  });
});
