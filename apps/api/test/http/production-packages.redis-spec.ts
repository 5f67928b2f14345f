import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ChildProgram } from '#platform/child-program';
import { processRoles } from '#platform/database';
import { createTestDatabase, projectRoot, RedisServer, type TestDatabase } from '#platform/testing';
import { processEnv } from '../support/built-process.js';
import { ADMIN_TOKEN } from '../support/test-app.js';

const TIMEOUT_MS = 300_000;
/** What `docker/Dockerfile` deletes. */
const IS_DELETED = /\.(d\.[cm]?ts|map)$/;

describe('the packages of `npm ci --omit=dev`', () => {
  let database: TestDatabase;
  let redis: RedisServer;
  /** Outside of the project, so that no program finds the packages that are installed there. */
  let image: string;

  beforeAll(async () => {
    image = mkdtempSync(path.join(tmpdir(), 'causeway-image-'));
    [database, redis] = await Promise.all([createTestDatabase(), RedisServer.start()]);
    const listed = execFileSync('npm', ['ls', '--omit=dev', '--all', '--parseable'], { cwd: projectRoot });
    const packages = listed.toString().trim().split('\n').slice(1);
    const filter = (source: string): boolean => !IS_DELETED.test(source);
    for (const place of [
      'package.json',
      'dist/apps',
      'dist/libs',
      ...packages.map((each) => path.relative(projectRoot, each)),
    ])
      cpSync(path.join(projectRoot, place), path.join(image, place), { recursive: true, filter });
  }, TIMEOUT_MS);
  afterAll(async () => {
    await redis.kill();
    await database.drop();
    rmSync(image, { recursive: true });
  });

  const urlOf = (program: string): string => database.roleUrl(processRoles.find((role) => role === program) ?? 'api');
  const start = (program: string): ChildProgram =>
    new ChildProgram({
      file: path.join(image, `dist/apps/${program}/src/main.js`),
      env: { ...processEnv(urlOf(program)), REDIS_URL: redis.url, ADMIN_TOKEN, SANDBOX_PORT: '0' },
    });

  const serveTheirPages = async (): Promise<void> => {
    const pages = {
      api: ['readyz', 'openapi.json', 'docs', 'docs/swagger-ui-bundle.js', 'v0/oauth2/exchanges'],
      worker: ['readyz', 'queues', 'queues/api/queues'],
      'sandbox-exchange': ['', '0/public/Time'],
    };
    const statuses = Object.entries(pages).map(async ([program, paths]) => {
      const child = start(program);
      const address = await child.address();
      const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
      for (const each of paths)
        expect([each, (await fetch(`${address}/${each}`, { headers })).status]).toEqual([each, 200]);
      await child.stop();
      expect(child.stderr).toBe('');
    });
    await Promise.all(statuses);
  };
  it('suffice for the API, the worker and the sandbox exchange', serveTheirPages, TIMEOUT_MS);

  it.each([
    ['the command line', 'apps/cli/src/main.js', ['orgs', 'list']],
    ['npm run migrate', 'libs/platform/src/database/migrate.main.js', []],
  ])('suffice for %s', (_name, program, args) => {
    const env = { ...processEnv(urlOf('cli')), DATABASE_OWNER_URL: database.ownerUrl };
    execFileSync(process.execPath, [path.join(image, 'dist', program), ...args], { env });
  });
});
