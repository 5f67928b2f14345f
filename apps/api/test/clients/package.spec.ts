import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join, normalize } from 'node:path';
import { promisify } from 'node:util';
import { createContext, runInContext } from 'node:vm';
import { build } from 'esbuild';
import { projectRoot } from '#platform/testing';

const folder = join(projectRoot, 'clients/typescript');

/** The only global objects that the client finds in an edge runtime. Browsers and Node have more. */
const EDGE = {
  AbortController,
  AbortSignal,
  Headers,
  Response,
  TextDecoder,
  TextEncoder,
  URL,
  URLSearchParams,
  atob,
  clearTimeout,
  crypto,
  setTimeout,
};

const PROGRAM = `
const { Causeway, verifyWebhook } = globalThis.client;
globalThis.result = (async () => {
  const asked = [];
  const fetch = (url, { headers }) => {
    asked.push(url, headers['x-svc-wallet-id']);
    return Promise.resolve(new Response('{"id":"quote-1"}'));
  };
  const causeway = new Causeway({ baseUrl: 'https://causeway.example.com', fetch }).forWallet('user-42');
  const quote = await causeway.createQuote({ asset: 'BTC', amount: '0.01', address: 'bc1q' });
  const refused = await verifyWebhook({ body: '{}', headers: {}, secret: 'whsec_AAAA' }).catch(({ name }) => name);
  return JSON.stringify({ asked, id: quote.id, refused });
})();
`;

interface PackageJson {
  exports: { '.': { types: string; default: string } };
  types: string;
  dependencies?: object;
  peerDependencies?: object;
}

const packageJson = async (): Promise<PackageJson> =>
  JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as PackageJson;

/** Returns the files that `npm publish` would upload. */
async function packedFiles(): Promise<string[]> {
  const { stdout } = await promisify(execFile)('npm', ['pack', '--dry-run', '--json'], { cwd: folder });
  const [{ files }] = JSON.parse(stdout) as [{ files: { path: string }[] }];
  return files.map(({ path }) => path);
}

describe('the package of the client', () => {
  it('has no dependency, and contains only compiled code, types, README.md and package.json', async () => {
    const packed = await packedFiles();
    const description = await packageJson();
    expect(packed).toEqual(expect.arrayContaining(['README.md', 'package.json']));
    expect(packed.filter((file) => !/^(dist\/.*\.(js|d\.ts)|README\.md|package\.json)$/.test(file))).toEqual([]);
    expect([description.dependencies, description.peerDependencies]).toEqual([undefined, undefined]);
  });

  it('contains the compiled code and the types that package.json exports', async () => {
    const { exports, types } = await packageJson();
    const exported = exports['.'];
    for (const file of [exported.types, types]) expect(file).toMatch(/\.d\.ts$/);
    const named = [exported.default, exported.types, types].map((file) => normalize(file));
    expect(await packedFiles()).toEqual(expect.arrayContaining(named));
  });

  it('is imported by its name in Node', async () => {
    const program = `const { Causeway } = await import('@causeway/client'); console.log(typeof Causeway);`;
    const ended = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], { cwd: folder });
    expect(ended.stdout).toBe('function\n');
  });

  it('works with nothing but the interfaces of an edge runtime', async () => {
    const { outputFiles } = await build({
      entryPoints: [join(folder, 'src/index.ts')],
      bundle: true,
      write: false,
      platform: 'neutral',
      format: 'iife',
      globalName: 'client',
    });
    const context = createContext({ ...EDGE });
    runInContext(`${outputFiles[0]?.text ?? ''}\nglobalThis.client = client;${PROGRAM}`, context);
    expect(JSON.parse((await context.result) as string)).toEqual({
      asked: ['https://causeway.example.com/v0/wallet/withdraw/quote', 'user-42'],
      id: 'quote-1',
      refused: 'WebhookRefused',
    });
  });
});
