import { v7 } from 'uuid';
import { Database } from '#platform/database';
import { createTestDatabase, until } from '#platform/testing';
import { Audit } from '../audit/audit.js';
import { createAccessApp, send, type AccessApp } from '../testing/access-app.js';
import { createApiKey, createProject, type TestProject } from '../testing/index.js';
import { DeleteProject } from './delete-project.js';
import { SuspendProject } from './suspend-project.js';

/** After this time every process knows of the change. */
const EVERYWHERE_MS = 1_000;
const ACTOR = 'Ada';

describe('a project that is stopped', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let here: AccessApp;
  let there: AccessApp;
  let project: TestProject;
  let db: Database;

  beforeAll(async () => {
    database = await createTestDatabase();
    here = await createAccessApp(database.appUrl);
    there = await createAccessApp(database.appUrl, { clock: here.clock });
    db = here.app.get(Database, { strict: false });
  });
  afterAll(async () => {
    await there.app.close();
    await here.app.close();
    await database.drop();
  });
  beforeEach(async () => {
    project = await createProject(here.app);
    // From now on both processes have the key in their cache.
    for (const process of [here, there]) expect(await statusAt(process)).toBe(200);
  });

  const statusAt = async ({ url }: AccessApp, headers = project.headers): Promise<number> =>
    (await send(`${url}/probe/any`, headers)).status;
  const becomes = async (status: number): Promise<void> => {
    expect(await statusAt(here)).toBe(status);
    await until('the other process responds so, too', async () => (await statusAt(there)) === status, EVERYWHERE_MS);
  };
  const suspender = (): SuspendProject => here.app.get(SuspendProject, { strict: false });
  const remove = (): ReturnType<DeleteProject['execute']> =>
    here.app.get(DeleteProject, { strict: false }).execute(project.projectId, ACTOR);
  const audited = async (): Promise<string[]> => {
    const page = { page: 0, limit: 50 };
    const entries = await here.app.get(Audit, { strict: false }).list(project.organizationId, page);
    return entries.filter(({ actor }) => actor === ACTOR).map(({ action }) => action);
  };

  it('is refused everywhere while it is suspended, and served again when it is resumed', async () => {
    expect((await suspender().suspend(project.projectId, ACTOR)).suspendedAt).toBeInstanceOf(Date);
    await becomes(403);
    expect((await suspender().resume(project.projectId, ACTOR)).suspendedAt).toBeNull();
    await becomes(200);
    expect((await audited()).sort()).toEqual(['project.resumed', 'project.suspended']);
  });

  it('stays as it is when a suspension or a resumption is repeated', async () => {
    const { suspendedAt } = await suspender().suspend(project.projectId, ACTOR);
    here.clock.advance(1_000);
    expect((await suspender().suspend(project.projectId, 'another')).suspendedAt).toEqual(suspendedAt);
    await suspender().resume(project.projectId, ACTOR);
    await suspender().resume(project.projectId, 'another');
    expect(await audited()).toHaveLength(2);
    const [{ count } = { count: -1 }] = await db.query<{ count: number }>(
      `select count(*)::int as count from audit_entries where project_id = $1 and actor = 'another'`,
      [project.projectId],
    );
    expect(count).toBe(0);
  });

  it('is not found when it is suspended or resumed after its deletion, or when it never existed', async () => {
    await remove();
    for (const id of [project.projectId, v7()]) {
      await expect(suspender().suspend(id, ACTOR)).rejects.toMatchObject({ status: 404 });
      await expect(suspender().resume(id, ACTOR)).rejects.toMatchObject({ status: 404 });
    }
    const unknown = here.app.get(DeleteProject, { strict: false }).execute(v7(), ACTOR);
    await expect(unknown).rejects.toMatchObject({ status: 404 });
  });

  it('is unknown everywhere with all its keys once it is deleted, and the deletion is repeated without effect', async () => {
    const second = await createApiKey(here.app, project);
    // The key was rotated, and still works for a day.
    const overlapEnds = new Date(here.clock.now().getTime() + 86_400_000);
    await db.query(`update api_keys set revoked_at = $2 where id = $1`, [second.apiKeyId, overlapEnds]);
    expect(await statusAt(there, second.headers)).toBe(200);
    const { deletedAt } = await remove();
    expect(deletedAt).toBeInstanceOf(Date);
    await becomes(401);
    expect(await statusAt(here, second.headers)).toBe(401);
    here.clock.advance(1_000);
    expect((await remove()).deletedAt).toEqual(deletedAt);
    expect(await audited()).toEqual(['project.deleted']);
    const keys = await db.query<{ revoked_at: Date | null }>(`select revoked_at from api_keys where project_id = $1`, [
      project.projectId,
    ]);
    expect(keys.map(({ revoked_at: at }) => at)).toEqual([deletedAt, deletedAt]);
  });

  it('does not affect the other projects of its organization', async () => {
    const other = await createProject(here.app, { organizationId: project.organizationId });
    await suspender().suspend(project.projectId, ACTOR);
    await remove();
    await becomes(401);
    for (const process of [here, there]) expect(await statusAt(process, other.headers)).toBe(200);
  });
});
