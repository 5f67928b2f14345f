import path from 'node:path';
import { ChildProgram } from '#platform/child-program';
import { createTestDatabase, projectRoot, type TestDatabase } from '#platform/testing';

const file = path.join(projectRoot, 'dist/programs/migrate.js');

describe('npm run migrate', () => {
  let database: TestDatabase;
  beforeAll(async () => (database = await createTestDatabase()));
  afterAll(() => database.drop());

  async function migrate(ownerUrl: string): Promise<{ code: number | null; out: string; err: string }> {
    const program = new ChildProgram({ file, env: { DATABASE_OWNER_URL: ownerUrl } });
    const code = await program.exitCode();
    return { code, out: program.stdout, err: program.stderr };
  }

  it('reports that the schema was up to date', async () => {
    expect(await migrate(database.ownerUrl)).toMatchObject({
      ...{
        code: 0,
        err: '',
        out: expect.stringMatching(/^migrating the database\nthe schema was up to date; /) as string,
      },
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
});
