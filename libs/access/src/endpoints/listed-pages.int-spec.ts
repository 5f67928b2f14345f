import { acrossProjects } from '#platform/database';
import type { PageQuery } from '#platform/http';
import { createTestModule, type TestModule } from '#platform/testing';
import { AccessModule } from '../access.module.js';
import { Audit } from '../audit/audit.js';
import { ApiKeys } from '../keys/api-keys.service.js';
import { Organizations } from '../projects/organizations.service.js';
import { Projects } from '../projects/projects.service.js';
import { createApiKey, createProject, type TestProject } from '../testing/index.js';

const WHOLE = { page: 0, limit: 100 };

describe('a list of the administration', () => {
  let created: TestModule;
  let first: TestProject;

  beforeAll(async () => {
    created = await createTestModule({ imports: [AccessModule] });
    const { module } = created;
    first = await createProject(module);
    for (let count = 1; count < 5; count++) {
      await createProject(module);
      await createProject(module, { organizationId: first.organizationId });
      await createApiKey(module, first);
    }
  });
  afterAll(() => created.close());

  it.each<[what: string, list: (page: PageQuery) => Promise<{ entries: unknown[]; totalCount?: number }>]>([
    [
      'organizations',
      async (page) => {
        const { organizations, totalCount } = await created.module.get(Organizations).list(page);
        return { entries: organizations.map(({ id }) => id), totalCount };
      },
    ],
    [
      'projects',
      async (page) => {
        const { projects, totalCount } = await created.module.get(Projects).list(first.organizationId, page);
        return { entries: projects.map(({ id }) => id), totalCount };
      },
    ],
    [
      'API keys',
      async (page) => {
        const { apiKeys, totalCount } = await created.module.get(ApiKeys).list(first.projectId, page);
        return { entries: apiKeys.map(({ id }) => id), totalCount };
      },
    ],
    [
      'audit entries',
      async (page) => {
        const entries = await created.module.get(Audit).list(first.organizationId, page);
        return { entries: entries.map(({ sequence }) => sequence) };
      },
    ],
  ])('has each entry once on its pages, in the order of the whole list: %s', async (_what, list) => {
    await acrossProjects(async () => {
      const { entries: all, totalCount = all.length } = await list(WHOLE);
      expect([all.length >= 5, totalCount]).toEqual([true, all.length]);
      const pages: unknown[] = [];
      for (let page = 0; page * 2 < all.length; page++) pages.push(...(await list({ page, limit: 2 })).entries);
      expect(pages).toEqual(all);
      expect((await list({ page: all.length, limit: 2 })).entries).toEqual([]);
    });
  });
});
