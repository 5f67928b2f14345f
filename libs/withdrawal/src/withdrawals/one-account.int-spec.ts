import { runForProject } from '#platform/database';
import type { Quote } from '../quote/quote.entity.js';
import { WithdrawalHarness } from '../testing/index.js';
import type { WithdrawalAttempt } from './withdrawal-attempt.entity.js';
import { WithdrawalStore } from './withdrawal-store.js';
import type { Withdrawal } from './withdrawal.entity.js';

describe('a withdrawal of an account that two projects have connected, in a process that sees one project', () => {
  let harness: WithdrawalHarness;
  let store: WithdrawalStore;
  beforeAll(async () => {
    harness = await WithdrawalHarness.create();
    store = await harness.ofApi(WithdrawalStore);
  });
  beforeEach(async () => {
    harness.exchange.reset();
    await harness.begin();
  });
  afterAll(() => harness.close());

  /** Executes a quote of one project without a response, and an equal quote of another project. */
  async function execute(script: ('answer_lost' | 'request_lost')[]): Promise<[Quote, Quote]> {
    harness.exchange.script = script;
    const first = await harness.quote();
    await harness.execute(first);
    await harness.newWallet();
    const second = await harness.quote();
    await harness.execute(second);
    return [first, second];
  }

  async function sent(quote: Quote): Promise<[Withdrawal, WithdrawalAttempt]> {
    const withdrawal = await harness.withdrawalOf(quote);
    const attempt = await harness.get(WithdrawalStore).findLiveAttempt(withdrawal.id);
    if (attempt === null) throw new Error('nothing was sent');
    return [withdrawal, attempt];
  }

  it('has the unresolved withdrawal of the other project as its rival', async () => {
    const [first] = await execute(['answer_lost', 'request_lost']);
    const [withdrawal, attempt] = await sent(first);
    const rivalry = await runForProject(withdrawal.projectId, () => store.rivalry(withdrawal, attempt, 'X9'));
    expect(rivalry).toBe('undecided');
  });

  it('gets no record that is linked to the withdrawal of the other project', async () => {
    const [first, second] = await execute(['answer_lost']);
    const [withdrawal, attempt] = await sent(first);
    const { exchangeId } = await harness.withdrawalOf(second);
    if (exchangeId === null) throw new Error('the second withdrawal was not accepted');
    const candidates = await runForProject(withdrawal.projectId, () =>
      store.findCandidates(withdrawal, attempt, [exchangeId]),
    );
    expect(candidates).toEqual({ unlinked: [], ofOtherCredentials: [exchangeId] });
  });

  it('is not found by a process that acts for the other project', async () => {
    const [first, second] = await execute(['answer_lost', 'request_lost']);
    const { id, projectId } = await harness.withdrawalOf(first);
    expect(await runForProject(second.projectId, () => store.find(id))).toBeNull();
    expect(await runForProject(projectId, () => store.find(id))).toMatchObject({ id });
    await expect(store.find(id)).rejects.toMatchObject({ driverError: { code: expect.stringMatching(/42704|22P02/) as string } });
  }); // prettier-ignore
});
