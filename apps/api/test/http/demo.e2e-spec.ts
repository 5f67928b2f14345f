import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sendRaw } from '../support/raw-http.js';
import { TestApp } from '../support/test-app.js';

describe('the credentials of the demo', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'demo-'));
  const file = path.join(folder, 'demo.json');
  let app: TestApp;

  beforeAll(async () => {
    app = await TestApp.create({ env: { DEMO_FILE: file } });
  });
  afterAll(async () => {
    await app.close();
    rmSync(folder, { recursive: true });
  });

  const read = async (headers: Record<string, string> = {}) => {
    const { status, headers: received, body } = await sendRaw(`${app.url}/docs/demo.json`, headers);
    return { status, headers: received, body: JSON.parse(body.toString()) as Record<string, unknown> };
  };

  it('are returned under the names of the security schemes after `npm start` has written them', async () => {
    const before = await read();
    expect([before.status, before.body['error']]).toEqual([404, 'Demo not found']);
    const demo = { apiKey: 'svc_test_key', orgId: 'org', projectId: 'project', live: { apiKey: 'svc_live_key' } };
    writeFileSync(file, JSON.stringify(demo));
    const { status, headers, body } = await read();
    expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
    expect(body).toEqual({ 'x-svc-api-key': 'svc_test_key', 'x-svc-org-id': 'org', 'x-svc-project-id': 'project' });
    const { components } = app.document as { components: { securitySchemes: object } };
    expect(Object.keys(components.securitySchemes)).toEqual(expect.arrayContaining(Object.keys(body)));
  });

  const ofOtherSites: Record<string, string>[] = [
    { host: 'evil.example' },
    { host: '127.0.0.1.evil.example:8787' },
    { 'sec-fetch-site': 'cross-site' },
  ];
  it.each(ofOtherSites)('are refused to a page of another site: %j', async (headers) => {
    writeFileSync(file, JSON.stringify({ apiKey: 'svc_test_key', orgId: 'org', projectId: 'project' }));
    const { status, body } = await read(headers);
    expect([status, body['error']]).toEqual([404, 'Page not found']);
  });
});

describe('an installation without a demo', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await TestApp.create();
  });
  afterAll(() => app.close());

  it('shows no button for demo credentials in the documentation, and returns no credentials', async () => {
    expect((await app.http.get('/docs/demo.json')).status).toBe(404);
    expect(await (await fetch(`${app.url}/docs`)).text()).not.toContain('<button');
    const script = await (await fetch(`${app.url}/docs/swagger-initializer.js`)).text();
    expect(script).toContain('persistAuthorization: false');
    expect(script).not.toContain('demo');
  });
});
