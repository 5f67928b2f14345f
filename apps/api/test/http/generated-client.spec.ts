import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from '#platform/testing';

/** Time limit of a test that starts two programs, while other test files may keep all cores busy. */
const TIMEOUT_MS = 180_000;
const GENERATOR = 'openapi-typescript/bin/cli.js';
const COMPILER = 'typescript/bin/tsc';
const TSCONFIG = {
  compilerOptions: { strict: true, noEmit: true, target: 'es2022', module: 'nodenext', types: [], skipLibCheck: false },
};

/** The code of an application: it builds the body of a request and handles an error by its code. */
const APPLICATION = `
import type { operations, paths } from './api.js';

export type Body<Path extends keyof paths, Method extends 'post' | 'put'> =
  paths[Path] extends Record<Method, { requestBody?: { content: { 'application/json': infer Json } } }> ? Json : never;

export const withoutFee: Body<'/v0/wallet/withdraw/quote', 'post'> = { asset: 'BTC', amount: '0.01', address: 'bc1q' };
// @ts-expect-error: amounts are strings.
export const numeric: Body<'/v0/wallet/withdraw/quote', 'post'> = { asset: 'BTC', amount: 0.01, address: 'bc1q' };

type Refusal = operations['executeQuote']['responses'][400]['content']['application/json'];
export function openSteps(refusal: Refusal): string[] {
  switch (refusal.type) {
    case 'WITHDRAWAL_2FA_REQUIRED_MULTI_STEPS':
    case 'WITHDRAWAL_2FA_INCOMPLETE':
      return (refusal.result?.steps ?? []).filter(({ status }) => status !== 'success').map(({ type }) => type);
    case 'GENERIC_VALIDATION_ERROR':
      return (refusal.result?.fields ?? []).map(({ field, message }) => field + ': ' + message);
    // @ts-expect-error: the operation does not return this code.
    case 'DEPOSIT_ASSET_REQUIRED':
      return [];
    default:
      return [];
  }
}
`;

describe('a client that openapi-typescript generates', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'generated-client-'));
    await run(GENERATOR, join(projectRoot, 'openapi.json'), '--output', join(folder, 'api.ts'));
    await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG));
  }, TIMEOUT_MS);

  afterAll(() => rm(folder, { recursive: true, force: true }));

  it(
    'compiles in strict mode with the bodies of the README and with a switch over error codes',
    async () => {
      const paths = Object.keys((JSON.parse(await read('openapi.json')) as { paths: object }).paths);
      const bodies = bodiesIn(await read('README.md'), paths);
      expect(new Set(bodies.map(({ path }) => path))).toEqual(
        new Set(['/v0/wallet/withdraw/quote', '/v0/wallet/withdraw/{quoteId}/execute', '/v0/wallet/trade/order']),
      );
      const lines = bodies.map(
        ({ path, method, json }, index) => `export const readme${index}: Body<'${path}', '${method}'> = ${json};\n`,
      );
      await writeFile(join(folder, 'application.ts'), [APPLICATION, ...lines].join(''));
      await expect(run(COMPILER, '--project', folder)).resolves.toBe('');
    },
    TIMEOUT_MS,
  );
});

interface DocumentedBody {
  path: string;
  method: string;
  json: string;
}

/** Returns the bodies of the commands in a guide, with the documented path of each request. */
function bodiesIn(guide: string, paths: string[]): DocumentedBody[] {
  const commands = guide.replaceAll('\\\n', ' ').split('\n');
  return commands.flatMap((command) => {
    const [, address, json] = /curl .*?http:\/\/127\.0\.0\.1:8787(\S+)\s+-d '([^']+)'/.exec(command) ?? [];
    if (address === undefined || json === undefined) return [];
    const path = paths.find((each) => new RegExp(`^${each.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`).test(address));
    if (path === undefined) throw new Error(`no operation of the document: ${command}`);
    return [{ path, method: (/-X (\w+)/.exec(command)?.[1] ?? 'POST').toLowerCase(), json }];
  });
}

function read(file: string): Promise<string> {
  return readFile(join(projectRoot, file), 'utf8');
}

/** Runs a program. Returns its output if it is the compiler, else ''. Rejects with the output when it fails. */
async function run(program: string, ...parameters: string[]): Promise<string> {
  const file = join(projectRoot, 'node_modules', program);
  // The generator runs in the root, as in a checkout: it would also read a `redocly.yaml` that lies there.
  const ended = promisify(execFile)(process.execPath, [file, ...parameters], { cwd: projectRoot });
  const { stdout } = await ended.catch((error: Error & { stdout: string }) => {
    throw new Error(`${program}: ${error.stdout}`, { cause: error });
  });
  return program === COMPILER ? stdout : '';
}
