import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { processRoles, roleName } from '#platform/database';
import { createTestDatabase, type TestDatabase } from '#platform/testing';
import { createProcessRoles, RolesMissing } from './process-roles.js';

describe('the roles of the processes on the server of a user', () => {
  const prefix = `own_${randomBytes(6).toString('hex')}`;
  let database: TestDatabase;
  let owner: pg.Client;
  let folder: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    owner = new pg.Client(database.ownerUrl);
    await owner.connect();
    folder = mkdtempSync(path.join(tmpdir(), 'causeway-roles-'));
  });
  afterEach(async () => {
    for (const role of processRoles) await owner.query(`drop role if exists ${roleName(prefix, role)}`);
  });
  afterAll(async () => {
    await owner.end();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  const create = (ownerUrl: string, name: string): ReturnType<typeof createProcessRoles> =>
    createProcessRoles(ownerUrl, path.join(folder, name), prefix);

  async function userOf(url: string): Promise<unknown> {
    const client = new pg.Client(url);
    await client.connect();
    const { rows } = await client.query<{ user: string }>('select current_user as user');
    await client.end();
    return rows[0]?.user;
  }

  it('are created once, each with a login of its own', async () => {
    const urls = await create(database.ownerUrl, 'first');
    const users = await Promise.all(processRoles.map((role) => userOf(urls[role])));
    expect(users).toEqual(processRoles.map((role) => roleName(prefix, role)));
    expect(await create(database.ownerUrl, 'first')).toEqual(urls);
  });

  it('of another installation keep their password, and are not used', async () => {
    const urls = await create(database.ownerUrl, 'first');
    await expect(create(database.ownerUrl, 'second')).rejects.toThrow(
      /exists and was not created by this installation/,
    );
    expect(await userOf(urls.api)).toBe(roleName(prefix, 'api'));
  });

  it('are not created by a role that may not create roles, and the error says what is missing', async () => {
    await expect(create(database.appUrl, 'first')).rejects.toThrow(RolesMissing);
    await expect(create(database.appUrl, 'first')).rejects.toThrow(/give it CREATEROLE/);
  });
});
