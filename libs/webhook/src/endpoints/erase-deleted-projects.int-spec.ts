import { PeriodicTasks } from '#platform/lifecycle';
import { WebhookHarness } from '../testing/webhook-harness.js';
import { EraseEndpointsOfDeletedProjects } from './erase-deleted-projects.js';

const BATCH = 10;
const URL = 'http://127.0.0.1:1/hook';

describe('the webhook endpoints of a deleted project', () => {
  let harness: WebhookHarness;
  let deleted: string;
  let other: string;

  beforeAll(async () => {
    harness = await WebhookHarness.create();
  });
  afterAll(() => harness.close());
  beforeEach(async () => {
    await harness.reset();
    deleted = harness.projectId;
    await makeEndpoint();
    await harness.newProject();
    other = harness.projectId;
    await makeEndpoint();
  });

  /** Makes an endpoint of the present project with one delivery. */
  async function makeEndpoint(): Promise<void> {
    await harness.endpoint(URL);
    await harness.record();
    await harness.dispatch();
  }

  const remove = (projectId: string): Promise<unknown> =>
    harness.db.query(`update projects set deleted_at = now() where id = $1`, [projectId]);
  const run = (): Promise<number> =>
    new EraseEndpointsOfDeletedProjects(harness.db, harness.get(PeriodicTasks)).execute();

  interface Stored {
    endpoints: number;
    secrets: number;
    deliveries: number;
  }

  async function stored(projectId: string): Promise<Stored | undefined> {
    const [row] = await harness.db.query<Stored>(
      `select (select count(*)::int from webhook_endpoints where project_id = $1) as endpoints,
         (select count(*)::int from webhook_secrets where project_id = $1) as secrets,
         (select count(*)::int from webhook_deliveries where project_id = $1) as deliveries`,
      [projectId],
    );
    return row;
  }

  it('are deleted with their secrets and deliveries, and those of other projects stay', async () => {
    await remove(deleted);
    expect(await run()).toBe(1);
    expect(await stored(deleted)).toEqual({ endpoints: 0, secrets: 0, deliveries: 0 });
    expect(await stored(other)).toEqual({ endpoints: 1, secrets: 1, deliveries: 1 });
    expect(await run()).toBe(0);
  });

  it('stay while the project is only suspended', async () => {
    await harness.db.query(`update projects set suspended_at = now() where id = $1`, [deleted]);
    expect(await run()).toBe(0);
    expect((await stored(deleted))?.endpoints).toBe(1);
  });

  it('are deleted 10 at a time, each by only one of several workers', async () => {
    await harness.db.query(
      `insert into webhook_endpoints (id, project_id, url, description, event_types, created_at, updated_at)
       select gen_random_uuid(), $1, $2, '', '{}', now(), now() from generate_series(1, $3)`,
      [deleted, URL, 2 * BATCH],
    );
    await remove(deleted);
    expect(await run()).toBe(BATCH);
    expect((await stored(deleted))?.endpoints).toBe(BATCH + 1);
    const counts = await Promise.all([run(), run(), run()]);
    expect(counts.reduce((sum, count) => sum + count)).toBe(BATCH + 1);
    expect(await stored(deleted)).toEqual({ endpoints: 0, secrets: 0, deliveries: 0 });
    expect((await stored(other))?.endpoints).toBe(1);
  });
});
