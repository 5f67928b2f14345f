import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '#platform/testing';

const PROGRAM = join(projectRoot, 'dist/examples/shop/main.js');

describe('npm run example', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'causeway-example-'));
    mkdirSync(join(folder, '.local'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('asks the user to run npm start when the demo was never started', () => {
    const { status, stderr } = spawnSync(process.execPath, [PROGRAM], { cwd: folder, encoding: 'utf8' });
    expect([status, stderr]).toEqual([1, expect.stringMatching(/demo\.json is missing: run npm start/)]);
  });

  it('asks the user to run npm start when the demo has stopped', () => {
    // Port 1 belongs to no server.
    const demo = { baseUrl: 'http://127.0.0.1:1', sandboxWallet: { addresses: {} } };
    writeFileSync(join(folder, '.local/demo.json'), JSON.stringify(demo));
    const { status, stderr } = spawnSync(process.execPath, [PROGRAM], { cwd: folder, encoding: 'utf8' });
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(/does not respond at http:\/\/127\.0\.0\.1:1: run npm/),
    ]);
  });

  it('prints in one line what to do when its port is in use', async () => {
    const listen = async (port: number): Promise<Server> => {
      const server = createServer((_request, response) => response.end('{}'));
      // Another program may use the example's port already. Then the port is in use as the test needs it.
      await once(server.listen(port, '127.0.0.1'), 'listening').catch(() => undefined);
      return server;
    };
    const [causeway, other] = [await listen(0), await listen(8800)];
    const { port } = causeway.address() as AddressInfo;
    const demo = { baseUrl: `http://127.0.0.1:${port}`, sandboxWallet: { addresses: {} } };
    writeFileSync(join(folder, '.local/demo.json'), JSON.stringify(demo));
    const child = spawn(process.execPath, [PROGRAM], { cwd: folder });
    let errors = '';
    child.stderr.on('data', (data: Buffer) => (errors += data.toString()));
    const [code] = (await once(child, 'close')) as [number];
    expect([code, errors]).toEqual([1, expect.stringMatching(/^port 8800 is in use: open http.*\n$/)]);
    for (const server of [causeway, other]) server.close();
  });
});
