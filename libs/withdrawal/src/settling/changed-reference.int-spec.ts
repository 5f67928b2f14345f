import { WithdrawalHarness } from '../testing/index.js';
import type { Quote } from '../quote/quote.entity.js';

const MINUTE_MS = 60_000;

describe('settling a withdrawal at an exchange that may change our reference', () => {
  let harness: WithdrawalHarness;
  beforeAll(async () => (harness = await WithdrawalHarness.create()));
  afterAll(() => harness.close());
  beforeEach(async () => {
    harness.exchange.reset();
    Object.assign(harness.exchange, { exchangeClass: 'by_reference', mayChangeReference: true });
    await harness.begin();
  });

  /** Books a withdrawal of the same amount to the same address with another reference. */
  const bookAlike = ({ address, amountWithFee }: Quote, minutesAgo = 0) => {
    const record = harness.exchange.book({ asset: 'BTC', address, amount: amountWithFee.toString() });
    const at = new Date(record.at.getTime() - minutesAgo * MINUTE_MS);
    return Object.assign(record, { at, isCertain: false, isOnlyAlike: true });
  };

  /** Executes the quote; the request is lost. @returns the state in the end */
  async function stateAfterLoss(quote: Quote, bookAfterwards?: () => void): Promise<string> {
    harness.exchange.script = ['request_lost'];
    await harness.execute(quote);
    bookAfterwards?.();
    await harness.work(140);
    return (await harness.withdrawalOf(quote)).state;
  }

  it('moves the withdrawal to review when a new, otherwise equal record has another reference', async () => {
    const quote = await harness.quote();
    expect(await stateAfterLoss(quote, () => bookAlike(quote))).toBe('review');
  });

  it('records a failure when the only equal record with another reference was listed before the withdrawal was sent', async () => {
    const quote = await harness.quote();
    bookAlike(quote, 100);
    expect(await stateAfterLoss(quote)).toBe('failed');
  });

  it('records a failure when the only equal record with another reference is hours older than the withdrawal', async () => {
    const quote = await harness.quote();
    expect(await stateAfterLoss(quote, () => bookAlike(quote, 180))).toBe('failed');
  });

  it('counts a refusal as definite although an equal withdrawal was made before', async () => {
    const quote = await harness.quote();
    bookAlike(quote, 5);
    harness.exchange.script = ['refuse'];
    await expect(harness.execute(quote)).rejects.toThrow();
    expect((await harness.withdrawalOf(quote)).state).toBe('rejected');
  });

  it('links a record with our reference even if the exchange listed it before the attempt', async () => {
    const quote = await harness.quote();
    Object.assign(bookAlike(quote, 5), { isOnlyAlike: undefined, isCertain: true });
    expect(await stateAfterLoss(quote)).toBe('submitted');
  });
});
