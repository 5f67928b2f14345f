import { randomUUID } from 'node:crypto';
import { Controller, Get, Injectable } from '@nestjs/common';
import { createTestDatabase, type TestDatabase } from '#platform/testing';
import { generateApiKey } from '../keys/api-key-format.js';
import type { ProjectIdentity } from '../projects/project-identity.js';
import { createAccessApp, send, type AccessApp } from '../testing/access-app.js';
import { createProject, type TestProject } from '../testing/index.js';
import { RequireScopeOrKeyless } from './access-rule.decorators.js';
import { KeylessClientGuard, type KeylessClient } from './keyless-client.js';

import { CurrentCaller, type Caller } from './request.decorators.js';

const ORIGIN = 'https://shop.example';

@Injectable()
class ScriptedPages extends KeylessClientGuard {
  readonly refusal = 'no such page';
  project: ProjectIdentity;

  async admit({ organizationId, projectId, origin }: KeylessClient): Promise<ProjectIdentity | null> {
    const { project } = this;
    return organizationId === project.organizationId && projectId === project.id && origin === ORIGIN ? project : null;
  }
}

@Controller('probe')
class KeylessController {
  @Get('keyless')
  @RequireScopeOrKeyless('read', {
    guard: ScriptedPages,
    limit: { name: 'pages', perMinute: 'TICKERS_RATE_PER_MINUTE' },
  })
  keyless(@CurrentCaller() { project, key, origin }: Caller): unknown {
    return { projectId: project.id, hasKey: key !== null, origin };
  }
}

type Headers = Record<string, string | string[]>;
const change = (what: string, of: (right: Record<string, string>) => Headers): [string, typeof of] => [what, of];

describe('a request without an API key', () => {
  let database: TestDatabase;
  let api: AccessApp;
  let project: TestProject;

  beforeEach(async () => {
    database = await createTestDatabase();
    api = await createAccessApp(database.appUrl, {
      env: { TRUST_PROXY: 'true', AUTH_FAILURES_PER_MINUTE: '3', TICKERS_RATE_PER_MINUTE: '6' },
      controllers: [KeylessController],
      providers: [ScriptedPages],
    });
    project = await createProject(api.app);
    const { projectId: id, organizationId } = project;
    api.app.get(ScriptedPages).project = { id, organizationId, mode: 'test' };
  });
  afterEach(async () => {
    await api.app.close();
    await database.drop();
  });

  const pageOf = ({ organizationId, projectId }: TestProject): Record<string, string> => ({
    origin: ORIGIN,
    'x-svc-org-id': organizationId,
    'x-svc-project-id': projectId,
  });
  const statusOf = async (headers: Headers, from = '192.0.2.1'): Promise<number> =>
    (await send(`${api.url}/probe/keyless`, { ...headers, 'x-forwarded-for': from })).status;

  it('acts for the project that allows its page', async () => {
    const { status, body } = await send(`${api.url}/probe/keyless`, pageOf(project));
    expect([status, body]).toEqual([200, { projectId: project.projectId, hasKey: false, origin: ORIGIN }]);
  });

  it.each([
    ...['origin', 'x-svc-org-id', 'x-svc-project-id'].flatMap((name) => [
      change(`no ${name}`, (right) => Object.fromEntries(Object.entries(right).filter(([one]) => one !== name))),
      change(`two of ${name}`, (right) => ({ ...right, [name]: [right[name] ?? '', right[name] ?? ''] })),
      change(`another ${name}`, (right) => ({ ...right, [name]: randomUUID() })),
    ]),
    change('an empty API key', (right) => ({ ...right, 'x-svc-api-key': '' })),
    change('a wrong API key', (right) => ({ ...right, 'x-svc-api-key': generateApiKey('test') })),
  ])('is refused with %s, and blocks its address after too many of them', async (_what, of) => {
    const page = pageOf(project);
    expect([await statusOf(of(page)), await statusOf(of(page)), await statusOf(of(page))]).toEqual([401, 401, 401]);
    expect(await statusOf(page)).toBe(429);
    expect(await statusOf(page, '192.0.2.2')).toBe(200);
  });

  it('is limited for each address, whatever the project', async () => {
    const page = pageOf(project);
    const answers: number[] = [];
    for (let sent = 0; sent < 7; sent++) answers.push(await statusOf(page));
    expect(answers).toEqual([200, 200, 200, 200, 200, 200, 429]);
    expect(await statusOf(page, '192.0.2.2')).toBe(200);
  });
});
