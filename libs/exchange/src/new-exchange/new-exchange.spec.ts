import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import ts from 'typescript';
import { projectRoot } from '#platform/testing';
import { fillIn } from '../declaration/fill-in.js';
import { CannotCreate, createExchange, exchangeFiles } from './new-exchange.js';

const REGISTRY = 'libs/exchange/src/registry/exchanges.ts';
const TEMPLATES = 'libs/exchange/src/new-exchange/templates';

/** Compiles the files of a new exchange within the project, without writing them, and returns the compiler's errors. */
function compileErrors(id: string): string[] {
  const folder = join(projectRoot, 'libs/exchange/src/exchanges', id);
  const files = new Map(
    Object.entries(exchangeFiles(projectRoot, id, 'Example')).map(([name, text]) => [join(folder, name), text]),
  );
  const { config } = ts.readConfigFile(join(projectRoot, 'tsconfig.json'), (path) => ts.sys.readFile(path)) as {
    config: unknown;
  };
  const { options } = ts.parseJsonConfigFileContent({ ...(config as object), files: [] }, ts.sys, projectRoot);
  const actual = ts.createCompilerHost({ ...options, customConditions: ['source'] });
  const host: ts.CompilerHost = {
    ...actual,
    directoryExists: (path) => path === folder || actual.directoryExists?.(path) === true,
    fileExists: (path) => files.has(path) || actual.fileExists(path),
    readFile: (path) => files.get(path) ?? actual.readFile(path),
    getSourceFile: (path, ...rest) => {
      const text = files.get(path);
      return text === undefined
        ? actual.getSourceFile(path, ...rest)
        : ts.createSourceFile(path, text, ts.ScriptTarget.ES2023);
    },
  };
  const program = ts.createProgram(
    [...files.keys()],
    { ...options, incremental: false, tsBuildInfoFile: undefined, noEmit: true },
    host,
  );
  return [...files.keys()].flatMap((path) => {
    const source = program.getSourceFile(path);
    const found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
    return found.map(({ messageText }) => `${path}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`);
  });
}

describe('a new exchange', () => {
  it('compiles, and marks what must be filled in', () => {
    expect(compileErrors('example')).toEqual([]);
    const marked = Object.entries(exchangeFiles(projectRoot, 'example', 'Example')).filter(([, text]) =>
      text.includes('fillIn('),
    );
    expect(marked.map(([name]) => name)).toEqual([
      'example.ts',
      'example-responses.ts',
      'example-signature.ts',
      'example-contract.ts',
    ]);
    expect(() => fillIn('the fee')).toThrow('fill in: the fee');
  }, 180_000);

  it('has the format that Prettier requires', async () => {
    const path = join(projectRoot, 'libs/exchange/src/exchanges/example.ts');
    const options = { ...(await resolveConfig(path)), parser: 'typescript' };
    for (const text of Object.values(exchangeFiles(projectRoot, 'example', 'Example'))) {
      expect(await format(text, options)).toBe(text);
    }
  });

  describe('in the source code', () => {
    let project: string;
    beforeEach(() => {
      project = mkdtempSync(join(tmpdir(), 'causeway-new-exchange-'));
      mkdirSync(join(project, 'libs/exchange/src/registry'), { recursive: true });
      for (const path of [REGISTRY, TEMPLATES])
        cpSync(join(projectRoot, path), join(project, path), { recursive: true });
    });
    afterEach(() => rmSync(project, { recursive: true }));

    it('gets its line in the registry, and is refused when it exists already', () => {
      const paths = createExchange(project, 'example', 'Example');
      expect(paths.at(-1)).toBe(REGISTRY);
      const registry = readFileSync(join(project, REGISTRY), 'utf8');
      expect(registry).toContain("import { example } from '../exchanges/example/example.js';");
      expect(registry).toContain('  example,\n  sandbox,\n');
      expect(() => createExchange(project, 'example', 'Example')).toThrow(CannotCreate);
      expect(readFileSync(join(project, REGISTRY), 'utf8')).toBe(registry);
    });

    it('imports the public lists in its folder, and leaves the registry unchanged if the line of the exchange is there already', () => {
      const list = 'libs/exchange/src/exchanges/kraken/kraken-pairs.ts';
      cpSync(join(projectRoot, list), join(project, list));
      const before = readFileSync(join(project, REGISTRY), 'utf8');
      createExchange(project, 'kraken', 'Kraken');
      const text = readFileSync(join(project, 'libs/exchange/src/exchanges/kraken/kraken.ts'), 'utf8');
      expect(text).toContain("import { krakenPairs } from './kraken-pairs.js';");
      expect(text).toContain('  pairs: krakenPairs,');
      expect(readFileSync(join(project, REGISTRY), 'utf8')).toBe(before);
    });

    it.each([
      ['Example', 'Example'],
      ['a', 'A'],
      ['../x', 'X'],
      ['example', '`; drop'],
    ])('is refused with the id %s and the name %s', (id, name) => {
      expect(() => createExchange(project, id, name)).toThrow(CannotCreate);
    });
  });
});
