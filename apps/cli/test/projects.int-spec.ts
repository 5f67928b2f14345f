import { createTestDatabase } from '#platform/testing';
import { CommandLine } from './command-line.js';

interface Shown {
  id: string;
  suspendedAt: string | null;
  deletedAt: string | null;
}

describe('projects on the command line', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let cli: CommandLine;
  let organization: string;
  let project: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    cli = new CommandLine({ DATABASE_URL: database.appUrl });
  });
  afterAll(() => database.drop());
  beforeEach(async () => {
    organization = (await cli.json<Shown>('orgs', 'create', 'Acme')).id;
    project = (await cli.json<Shown>('projects', 'create', organization, 'Shop', '--mode', 'test')).id;
  });

  const audited = async (): Promise<string[]> => {
    const entries = await cli.json<{ action: string }[]>('audit', 'list', organization);
    return entries.map(({ action }) => action).filter((action) => action !== 'project.created');
  };

  it('are suspended and resumed, and a repeat changes nothing', async () => {
    const { suspendedAt } = await cli.json<Shown>('projects', 'suspend', project);
    expect(suspendedAt).not.toBeNull();
    expect(await cli.json('projects', 'suspend', project)).toMatchObject({ suspendedAt });
    expect((await cli.run(['projects', 'list', organization])).out).toMatch(/ Shop +test +\S+Z +\S+Z +-$/m);
    expect(await cli.json('projects', 'resume', project)).toMatchObject({ suspendedAt: null, deletedAt: null });
    expect(await cli.json('projects', 'resume', project)).toMatchObject({ suspendedAt: null });
    expect((await audited()).sort()).toEqual(['project.resumed', 'project.suspended']);
  });

  it('are deleted only with their name as a confirmation', async () => {
    expect((await cli.run(['projects', 'delete', project])).code).toBe(2);
    const refused = await cli.run(['projects', 'delete', project, '--confirm', 'shop']);
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining("--confirm 'Shop'") as string });
    expect(await audited()).toEqual([]);
    const { deletedAt } = await cli.json<Shown>('projects', 'delete', project, '--confirm', 'Shop');
    expect(deletedAt).not.toBeNull();
    expect(await cli.json('projects', 'delete', project, '--confirm', 'Shop')).toMatchObject({ deletedAt });
    expect(await cli.json('projects', 'list', organization)).toMatchObject([{ id: project, deletedAt }]);
    expect((await cli.run(['projects', 'suspend', project])).err).toMatch(/not found/i);
    expect(await audited()).toEqual(['project.deleted']);
  });
});
