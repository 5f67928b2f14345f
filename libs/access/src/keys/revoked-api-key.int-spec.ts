import pg from 'pg';
import { Database } from '#platform/database';
import { createTestDatabase, until } from '#platform/testing';
import { RevokeApiKey } from './revoke-api-key.js';
import { RotateApiKey } from './rotate-api-key.js';
import { createAccessApp, send, type AccessApp } from '../testing/access-app.js';
import { createApiKey, createProject, type TestProject } from '../testing/index.js';

/** After this time every process refuses a revoked key. */
const EVERYWHERE_MS = 1_000;

describe('an API key that becomes invalid', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let here: AccessApp;
  let there: AccessApp;
  let project: TestProject;

  beforeAll(async () => {
    database = await createTestDatabase();
    here = await createAccessApp(database.appUrl);
    there = await createAccessApp(database.appUrl, { clock: here.clock });
    project = await createProject(here.app);
  });
  afterAll(async () => {
    await there.app.close();
    await here.app.close();
    await database.drop();
  });

  const statusAt = async ({ url }: AccessApp, headers: Record<string, string>): Promise<number> =>
    (await send(`${url}/probe/any`, headers)).status;
  const issue = async (of = project) => {
    const issued = await createApiKey(here.app, of);
    // From now on both processes have the key in their cache.
    for (const process of [here, there]) expect(await statusAt(process, issued.headers)).toBe(200);
    return issued;
  };
  const untilRefused = (process: AccessApp, headers: Record<string, string>): Promise<void> =>
    until('the key is refused', async () => (await statusAt(process, headers)) === 401, EVERYWHERE_MS);
  const revoke = (apiKeyId: string) => here.app.get(RevokeApiKey, { strict: false }).execute(apiKeyId, 'tests');

  it('is refused at once by the process that revoked it, and within a second by the others', async () => {
    const { headers, apiKeyId } = await issue();
    await revoke(apiKeyId);
    expect(await statusAt(here, headers)).toBe(401);
    await untilRefused(there, headers);
  });

  it('is refused at once by the process that rotated it without an overlap', async () => {
    const { headers, apiKeyId } = await issue();
    const rotation = { apiKeyId, overlapSeconds: 0, actor: 'tests' };
    await here.app.get(RotateApiKey, { strict: false }).execute(rotation);
    expect(await statusAt(here, headers)).toBe(401);
    await untilRefused(there, headers);
  });

  it('is refused by every process within a second when its project is deleted in the database', async () => {
    const deleted = await createProject(here.app);
    const { headers } = await issue(deleted);
    const db = here.app.get(Database, { strict: false });
    await db.query(`update projects set deleted_at = now() where id = $1`, [deleted.projectId]);
    for (const process of [here, there]) await untilRefused(process, headers);
  });

  it.each([
    ['revokes it', 'revoked_at = now()'],
    ['makes it expire', 'expires_at = now()'],
  ])('is refused by every process within a second when an SQL statement of an operator %s', async (_, change) => {
    const { headers, apiKeyId } = await issue();
    await here.app.get(Database, { strict: false }).query(`update api_keys set ${change} where id = $1`, [apiKeyId]);
    for (const process of [here, there]) await untilRefused(process, headers);
  });

  it('is refused by a process that was disconnected during the revocation, as soon as it listens again', async () => {
    const { headers, apiKeyId } = await issue();
    const owner = new pg.Client({ connectionString: database.ownerUrl });
    await owner.connect();
    await owner.query(
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity
        where datname = current_database() and application_name like '%-listen'`,
    );
    // The listening connections were just terminated, so no process gets the notification of this change.
    await owner.query(`update api_keys set revoked_at = now() where id = $1`, [apiKeyId]);
    await owner.end();
    for (const process of [here, there]) await untilRefused(process, headers);
  });
});
