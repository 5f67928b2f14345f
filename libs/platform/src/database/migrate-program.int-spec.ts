import { randomBytes } from 'node:crypto';
import path from 'node:path';
import pg from 'pg';
import { ChildProgram } from '#platform/child-program';
import { createTestDatabase, projectRoot, type TestDatabase } from '#platform/testing';

const file = path.join(projectRoot, 'dist/libs/platform/src/database/migrate.main.js');

describe('npm run migrate', () => {
  let database: TestDatabase;
  beforeAll(async () => (database = await createTestDatabase()));
  afterAll(() => database.drop());

  async function migrate(
    ownerUrl: string,
    env: Record<string, string> = {},
  ): Promise<{ code: number | null; out: string; err: string }> {
    const program = new ChildProgram({ file, env: { DATABASE_OWNER_URL: ownerUrl, ...env } });
    const code = await program.exitCode();
    return { code, out: program.stdout, err: program.stderr };
  }

  it('reports that the schema was up to date', async () => {
    expect(await migrate(database.ownerUrl)).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringMatching(/^migrating the database\nthe schema was up to date; /) as string,
    });
  });

  it('names the setting whose role may not change the schema', async () => {
    expect(await migrate(database.appUrl)).toMatchObject({
      code: 1,
      err: expect.stringMatching(
        /^error: DATABASE_OWNER_URL: its role may not change the schema; .* \(permission denied .*\)\n$/,
      ) as string,
    });
  });

  it('refuses the owner of an empty database as the role of a process, because it would lose rights that it needs', async () => {
    const owner = await ownerOfNewDatabase();
    try {
      expect(await migrate(owner.url, { DATABASE_ROLE_PREFIX: owner.name.replace(/_api$/, '') })).toMatchObject({
        code: 1,
        err: expect.stringContaining(`the role ${owner.name} owns the tables`) as string,
      });
    } finally {
      await owner.drop();
    }
  });

  it('restores the rights that the owner of the tables has lost', async () => {
    const owner = await ownerOfNewDatabase();
    const client = new pg.Client(owner.url);
    try {
      expect(await migrate(owner.url)).toMatchObject({ code: 0 });
      await client.connect();
      await client.query(`revoke insert, update on migrations, database_epochs from ${owner.name}`);
      await expect(client.query(`select from database_epochs for key share`)).rejects.toThrow('permission denied');
      expect(await migrate(owner.url)).toMatchObject({ code: 0 });
      await expect(client.query(`select from database_epochs for key share`)).resolves.toBeDefined();
      await expect(client.query(`insert into migrations select * from migrations limit 0`)).resolves.toBeDefined();
    } finally {
      await client.end();
      await owner.drop();
    }
  });

  /** Creates a role that is no superuser, and an empty database that it owns. */
  async function ownerOfNewDatabase(): Promise<{ name: string; url: string; drop: () => Promise<void> }> {
    const name = `owner_${randomBytes(6).toString('hex')}_api`;
    const server = new pg.Client(database.ownerUrl);
    await server.connect();
    await server.query(`create role ${name} login password '${name}'`);
    await server.query(`create database ${name} owner ${name}`);
    const url = new URL(database.ownerUrl);
    url.username = url.password = url.pathname = name;
    const drop = async (): Promise<void> => {
      await server.query(`drop database ${name} with (force)`);
      await server.query(`drop role ${name}`);
      await server.end();
    };
    return { name, url: url.toString(), drop };
  }
});
