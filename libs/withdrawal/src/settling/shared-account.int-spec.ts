import { Amount } from '#money';
import type { AccountMovement } from '#exchange';
import type { ExecutionAnswer } from '../execution/execute-quote.js';
import type { Quote } from '../quote/quote.entity.js';
import { WithdrawalHarness } from '../testing/index.js';
import type { WithdrawalAttempt } from '../withdrawals/withdrawal-attempt.entity.js';
import { WithdrawalStore } from '../withdrawals/withdrawal-store.js';

/** Arguments of `harness.work`: two hours, after which nothing waits for more evidence. */
const UNTIL_SETTLED = [120, 60_000] as const;

describe('settling equal withdrawals', () => {
  let harness: WithdrawalHarness;
  beforeAll(async () => (harness = await WithdrawalHarness.create()));
  afterAll(() => harness.close());
  beforeEach(async () => {
    harness.exchange.reset();
    await harness.begin();
  });

  const places = [
    ['of one project', true],
    ['of two projects', false],
  ] as const;

  describe.each(places)('%s that are the same account', (_which, inSameProject) => {
    it('does not link one record to both when both outcomes are unknown', async () => {
      harness.exchange.script = ['answer_lost', 'request_lost'];
      const first = await harness.quote();
      await harness.execute(first);
      await harness.newWallet({ inSameProject });
      const second = await harness.quote();
      const listed = harness.exchange.ledger.splice(0);
      await harness.execute(second);
      harness.exchange.ledger.push(...listed);
      await harness.work(4);
      const both = [await harness.withdrawalOf(first), await harness.withdrawalOf(second)];
      expect(both).toMatchObject([
        { state: 'review', exchangeId: null },
        { state: 'review', exchangeId: null },
      ]);
    });

    it('does not link the record of the second withdrawal to the first one, whose request was lost', async () => {
      const { first, answer } = await lostBeforeAnEqualOne({ inSameProject });
      await harness.work(10);
      expect(await harness.withdrawalOf(first)).toMatchObject({ state: 'unknown', exchangeId: null });
      await harness.work(...UNTIL_SETTLED);
      expect(await harness.withdrawalOf(first)).toMatchObject({ state: 'review', exchangeId: null });
      expect(await harness.transactionStatus(answer)).toBe('pending');
    });

    it('does not link a record while the equal withdrawal of the other wallet is being sent', async () => {
      harness.exchange.script = ['request_lost'];
      const first = await harness.quote();
      await harness.execute(first);
      await harness.newWallet({ inSameProject });
      let decide = (): void => undefined;
      harness.exchange.gate = new Promise((resolve) => (decide = resolve));
      const arrived = new Promise<void>((resolve) => (harness.exchange.onSubmission = resolve));
      const second = await harness.quote();
      const execution = harness.execute(second);
      await arrived;
      const { address, amountWithFee } = second;
      harness.exchange.book({ asset: 'BTC', address, amount: amountWithFee.toString() });
      await harness.work(2);
      expect(await harness.withdrawalOf(first)).toMatchObject({ state: 'unknown', exchangeId: null });
      decide();
      await execution;
    });

    // docs.ton.org, "Smart contract addresses": two forms of one account.
    const TON = 'QDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqP';
    it.each([
      ['the form of the address', { address: `E${TON}rHF` }, { address: `U${TON}uwA` }],
      ['the fee', { fee: '0.0001' }, { fee: '0.0002' }],
    ])(
      'does not decide to which withdrawal a record belongs when the withdrawals differ only in %s',
      async (_what, one, other) => {
        harness.exchange.script = ['answer_lost', 'request_lost'];
        const first = await harness.quote(one);
        await harness.execute(first);
        await harness.newWallet({ inSameProject });
        await harness.execute(await harness.quote(other));
        const store = harness.get(WithdrawalStore);
        const withdrawal = await harness.withdrawalOf(first);
        const attempt = await store.findLiveAttempt(withdrawal.id);
        if (attempt === null) throw new Error('nothing was sent');
        expect(await store.rivalry(withdrawal, attempt, 'X1')).toBe('undecided');
      },
    );
  });

  const accounts: [string, () => Promise<unknown>][] = [
    ['of two projects', () => harness.newWallet()],
    ['of one project', () => harness.newWallet({ inSameProject: true })],
    ['of one wallet with replaced credentials', () => Promise.resolve()],
  ];

  describe.each(accounts)('%s whose accounts use the same ids', (_whose, newWallet) => {
    async function inAnotherAccount(): Promise<void> {
      await newWallet();
      await harness.replaceCredentials({ isOtherAccount: true });
    }

    it('moves a withdrawal to review when its record has the id of a record of the other account', async () => {
      await harness.execute(await harness.quote());
      await inAnotherAccount();
      const { quote, answer } = await executedWithoutAnswer();
      useIdOfTheOtherAccount();
      await harness.work(...UNTIL_SETTLED);
      expect(await harness.withdrawalOf(quote)).toMatchObject({ state: 'review', exchangeId: null });
      expect(await harness.transactionStatus(answer)).toBe('pending');
    });

    it('counts no movement with the id of a record of the other account as a known withdrawal', async () => {
      await harness.execute(await harness.quote());
      harness.exchange.movements = [];
      await inAnotherAccount();
      const { quote, answer } = await executedWithoutAnswer();
      const change = Amount.zero.minus(quote.amountWithFee);
      const total = (harness.exchange.balance = harness.exchange.balance.plus(change));
      const movement: AccountMovement = {
        id: 'L1',
        kind: 'withdrawal',
        reference: 'X1',
        change,
        at: harness.clock.now(),
        after: { holding: 'BTC', total },
      };
      harness.exchange.movements = [movement];
      harness.exchange.otherLedger.length = 0;
      await harness.work(...UNTIL_SETTLED);
      expect((await harness.withdrawalOf(quote)).state).toBe('review');
      expect(await harness.transactionStatus(answer)).toBe('pending');
    });

    it('moves a withdrawal to review when the response of the exchange has the id of a record of the other account', async () => {
      await harness.execute(await harness.quote());
      harness.exchange.ledger.length = 0;
      await newWallet();
      const quote = await harness.quote();
      const answer = await harness.execute(quote);
      expect(await harness.withdrawalOf(quote)).toMatchObject({ state: 'unknown', exchangeId: null });
      await harness.work(1);
      expect(await harness.withdrawalOf(quote)).toMatchObject({ state: 'review', exchangeId: null });
      expect(await harness.transactionStatus(answer)).toBe('pending');
    });
  });

  it('links a record with the same id to each withdrawal when only one of the projects is live', async () => {
    const first = await harness.quote();
    await harness.execute(first);
    harness.exchange.ledger.length = 0;
    await harness.newWallet({ mode: 'live' });
    const second = await harness.quote();
    await harness.execute(second);
    expect((await harness.withdrawalOf(first)).exchangeId).toBe('X1');
    expect((await harness.withdrawalOf(second)).exchangeId).toBe('X1');
  });

  it('links the record with the id of a withdrawal of a test project to a withdrawal of a live one whose response was lost', async () => {
    await harness.execute(await harness.quote());
    harness.exchange.ledger.length = 0;
    await harness.newWallet({ mode: 'live' });
    harness.exchange.script = ['answer_lost'];
    const lost = await harness.quote();
    await harness.execute(lost);
    await harness.work(2);
    expect(await harness.withdrawalOf(lost)).toMatchObject({ state: 'submitted', exchangeId: 'X1' });
  });

  it('links a record to a withdrawal of a live project although an equal one of a test project is unknown', async () => {
    harness.exchange.script = ['request_lost', 'answer_lost'];
    await harness.execute(await harness.quote());
    await harness.newWallet({ mode: 'live' });
    const live = await harness.quote();
    await harness.execute(live);
    await harness.work(2);
    expect(await harness.withdrawalOf(live)).toMatchObject({ state: 'submitted', exchangeId: 'X1' });
  });

  it('does not link a record before the other account was listed a minute after this account began to show the record', async () => {
    const store = harness.get(WithdrawalStore);
    const unknown = async () => {
      harness.exchange.script = ['request_lost'];
      const quote = await harness.quote();
      await harness.execute(quote);
      const withdrawal = await harness.withdrawalOf(quote);
      const attempt = async () => (await store.findLiveAttempt(withdrawal.id)) as WithdrawalAttempt;
      return {
        see: async (...ids: string[]) => store.recordSeen((await attempt()).id, ids, harness.clock.now()),
        rivalry: async () => store.rivalry(withdrawal, await attempt(), 'X1'),
      };
    };
    const first = await unknown();
    await harness.newWallet();
    const second = await unknown();
    await first.see();
    harness.clock.advance(60_000);
    await second.see();
    await first.see('X1');
    expect(await first.rivalry()).toBe('undecided');
    harness.clock.advance(60_000);
    await first.see('X1');
    expect(await first.rivalry()).toBe('undecided');
    await second.see();
    expect(await first.rivalry()).toBe('none');
    await second.see('X1');
    expect(await first.rivalry()).toBe('same_account');
  });

  /** Loses the request of a withdrawal; then an equal withdrawal of another wallet is accepted. */
  async function lostBeforeAnEqualOne(where: {
    inSameProject: boolean;
  }): Promise<{ first: Quote; answer: ExecutionAnswer }> {
    harness.exchange.script = ['request_lost'];
    const first = await harness.quote();
    const answer = await harness.execute(first);
    await harness.newWallet(where);
    const second = await harness.quote();
    await harness.execute(second);
    expect(await harness.withdrawalOf(second)).toMatchObject({ state: 'submitted', exchangeId: 'X1' });
    return { first, answer };
  }

  async function executedWithoutAnswer(): Promise<{ quote: Quote; answer: ExecutionAnswer }> {
    harness.exchange.script = ['answer_lost'];
    const quote = await harness.quote();
    return { quote, answer: await harness.execute(quote) };
  }

  function useIdOfTheOtherAccount(): void {
    for (const record of harness.exchange.otherLedger) record.exchangeId = 'X1';
  }
});
