import { SuspendProject, type ProjectIdentity } from '#access';
import { createConnectHarness, type ConnectHarness } from '../testing/connect-harness.js';
import { ConnectProjects, noConnectSettings } from './connect-projects.service.js';
import { SetConnectProject } from './set-connect-project.js';

const PAGE = 'https://shop.example';

describe('a page that connects without an API key', () => {
  let harness: ConnectHarness;
  let project: ProjectIdentity;

  beforeAll(async () => (harness = await createConnectHarness()));
  afterAll(() => harness.close());
  beforeEach(async () => {
    project = await harness.fresh();
    await allow({ browserConnects: true, origins: [PAGE] });
  });

  const allow = (settings: { browserConnects: boolean; origins: string[] }) =>
    harness.get(SetConnectProject).execute(project.id, { ...noConnectSettings, ...settings }, 'tests');
  const find = (of: Pick<ProjectIdentity, 'id' | 'organizationId'> = project, origin = PAGE) =>
    harness.get(ConnectProjects).findForPage(of, origin);
  const mayStill = (origin: string | null = PAGE) =>
    harness.db.transaction((tx) => harness.get(ConnectProjects).allowsKeylessFrom(tx, project, origin));

  it('is admitted for its project, however the ids are written', async () => {
    const upperCase = { id: project.id.toUpperCase(), organizationId: project.organizationId.toUpperCase() };
    for (const of of [project, upperCase]) expect(await find(of)).toMatchObject({ id: project.id });
    expect(await mayStill()).toBe(true);
  });

  it('is not admitted under another organization, for another project, or with another origin', async () => {
    const other = await harness.fresh();
    expect(await find({ id: project.id, organizationId: other.organizationId })).toBeNull();
    expect(await find({ id: other.id, organizationId: project.organizationId })).toBeNull();
    expect(await find({ id: 'x', organizationId: project.organizationId })).toBeNull();
    for (const origin of [`${PAGE}.evil.example`, 'https://shop', 'http://shop.example', '', 'null']) {
      expect([origin, await find(project, origin), await mayStill(origin)]).toEqual([origin, null, false]);
    }
    expect(await mayStill(null)).toBe(false);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['the project allows no pages', () => allow({ browserConnects: false, origins: [PAGE] })],
    ['the page is no longer registered', () => allow({ browserConnects: true, origins: ['https://other.example'] })],
    ['the project is suspended', () => harness.get(SuspendProject).suspend(project.id, 'tests')],
  ])('is not admitted when %s', async (_why, change) => {
    await change();
    expect(await find()).toBeNull();
    expect(await mayStill()).toBe(false);
  });
});
