import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ChildProgram } from '#platform/child-program';
import { processRoles } from '#platform/database';
import { createTestDatabase, projectRoot, RedisServer, type TestDatabase } from '#platform/testing';
import { processEnv } from '../../api/test/support/built-process.js';
import { ADMIN_TOKEN } from '../../api/test/support/test-app.js';
import { writeImage } from '../src/write-image.js';

const TIMEOUT_MS = 300_000;

describe('the files of the container image', () => {
  let database: TestDatabase;
  let redis: RedisServer;
  /** Outside of the project, so that no program finds the packages that are installed there. */
  let image: string;

  beforeAll(async () => {
    image = mkdtempSync(path.join(tmpdir(), 'causeway-image-'));
    [database, redis] = await Promise.all([createTestDatabase(), RedisServer.start()]);
    await writeImage(projectRoot, image);
  }, TIMEOUT_MS);
  afterAll(async () => {
    await redis.kill();
    await database.drop();
    rmSync(image, { recursive: true });
  });

  const urlOf = (program: string): string => database.roleUrl(processRoles.find((role) => role === program) ?? 'api');
  const start = (program: string): ChildProgram =>
    new ChildProgram({
      file: path.join(image, `dist/programs/${program}.js`),
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

  it.each(['cli', 'migrate'])('suffice for the program %s', (program) => {
    const env = { ...processEnv(urlOf(program)), DATABASE_OWNER_URL: database.ownerUrl };
    const args = program === 'cli' ? ['orgs', 'list'] : [];
    execFileSync(process.execPath, [path.join(image, `dist/programs/${program}.js`), ...args], { env });
  });
});
