import { randomUUID } from 'node:crypto';
import { SuspendProject, type ProjectIdentity } from '#access';
import { NotFound } from '#platform/errors';
import { Topics } from '#platform/events';
import { createConnectHarness, type ConnectHarness } from '../testing/connect-harness.js';
import { SessionStore } from '../session/session-store.js';
import { ReadOutcome } from './read-outcome.js';

describe('the outcome of a topic', () => {
  let harness: ConnectHarness;
  let project: ProjectIdentity;

  beforeAll(async () => (harness = await createConnectHarness()));
  afterAll(() => harness.close());
  beforeEach(async () => (project = await harness.fresh()));

  const read = (organizationId: string, idem: string) => harness.get(ReadOutcome).execute(organizationId, idem);
  /** A topic with a message of a withdrawal, and no session. */
  const message = async (): Promise<string> => {
    const topic = randomUUID();
    const { organizationId, id: projectId } = project;
    const body = { type: 'withdraw', success: true } as never;
    await harness.db.transaction((tx) => harness.get(Topics).publish(tx, { organizationId, projectId, topic, body }));
    return topic;
  };

  it.each<[string, () => Promise<string>, string]>([
    ['a connect session', async () => (await harness.begin(project)).idem, 'pending'],
    ['a withdrawal', message, 'success'],
  ])(
    'of %s is shown only to its organization, and not while its project is suspended',
    async (_what, topic, status) => {
      const idem = await topic();
      const { organizationId } = await harness.project('test');
      expect(await read(project.organizationId, idem)).toMatchObject({ status });
      await expect(read(organizationId, idem)).rejects.toThrow(NotFound);
      await harness.get(SuspendProject).suspend(project.id, 'tests');
      await expect(read(project.organizationId, idem)).rejects.toThrow(NotFound);
    },
  );

  it.each([
    ['failed', 'was only opened', 'opened'],
    ['pending', 'is connecting an account, which may still succeed', 'connecting'],
    ['success', 'has connected an account', 'connected'],
  ] as const)('of a session is %s after its expiry when the session %s', async (status, _what, state) => {
    const { idem } = await harness.open(project);
    const store = harness.get(SessionStore);
    const leaseUntil = new Date(harness.clock.now().getTime() + 1_000);
    for (const next of state === 'opened' ? [] : (['connecting', state] as const)) {
      const seen = await store.findByIdem(project.organizationId, idem);
      if (seen === null) throw new Error('the session does not exist');
      if (next !== seen.state)
        await store.move(seen, { state: next, method: 'key', ...(next === 'connecting' && { leaseUntil }) });
    }
    harness.clock.advance(3_600_000);
    expect(await read(project.organizationId, idem)).toMatchObject({ status });
  });
});
