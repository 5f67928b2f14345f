import { randomUUID } from 'node:crypto';
import { Projects, SuspendProject, type ProjectIdentity } from '#access';
import { ReservedTopics, TopicMessages, Topics } from '#platform/events';
import { createConnectHarness, type ConnectHarness } from '../testing/connect-harness.js';
import { ExistingTopics } from './existing-topics.js';

describe('an existing topic', () => {
  let harness: ConnectHarness;
  let project: ProjectIdentity;

  beforeAll(async () => (harness = await createConnectHarness()));
  afterAll(() => harness.close());
  beforeEach(async () => (project = await harness.fresh()));

  const topics = (): ExistingTopics => {
    const [messages, projects] = [harness.get(TopicMessages), harness.get(Projects)];
    return new ExistingTopics(harness.db, messages, new ReservedTopics(), projects);
  };
  const messageOf = async ({ organizationId, id: projectId }: ProjectIdentity): Promise<string> => {
    const topic = randomUUID();
    const body = { type: 'withdraw', success: true } as never;
    await harness.db.transaction((tx) => harness.get(Topics).publish(tx, { organizationId, projectId, topic, body }));
    return topic;
  };

  it.each<[string, () => Promise<string>]>([
    ['connect session', async () => (await harness.begin(project)).idem],
    ['message', () => messageOf(project)],
  ])('of a %s exists for no other organization, and not while its project is suspended', async (_what, create) => {
    const topic = await create();
    const { organizationId: other } = await harness.project('test');
    const wanted = [project.organizationId, other].map((organizationId) => ({ organizationId, topic }));
    expect(await topics().among(wanted)).toMatchObject([{ organizationId: project.organizationId, topic }]);
    expect(await topics().stoppedAmong(wanted)).toEqual([]);
    await harness.get(SuspendProject).suspend(project.id, 'tests');
    expect(await topics().among(wanted)).toEqual([]);
    expect(await topics().stoppedAmong(wanted)).toMatchObject([{ organizationId: project.organizationId, topic }]);
  });
});
