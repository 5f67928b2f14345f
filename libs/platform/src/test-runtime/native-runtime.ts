import asyncHooks, { AsyncLocalStorage } from 'node:async_hooks';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { whileReplaced } from './while-replaced.js';

interface ProjectConfig {
  rootDir: string;
}

const require = createRequire(import.meta.url);
/** jest-circus keeps its event handlers on the global object, and adds some for each test file. */
const CIRCUS_HANDLERS = Symbol.for('EVENT_HANDLERS');
const CIRCUS_STATE = 'JEST_STATE_SYMBOL';

/**
 * All copies of jest-circus use this storage. A separate storage for each test file would slow down every asynchronous
 * step of later files, and would keep the tests of that file in memory.
 */
class CircusStorage {
  private static readonly shared = new AsyncLocalStorage();

  constructor() {
    return CircusStorage.shared;
  }
}

/**
 * Lets Node itself import the compiled test files, for Jest's option `runtime`. A worker process evaluates each module
 * of the project and of its packages once, and not once for each test file ([ADR
 * 31](docs/decisions/0031-test-runtime.md)). Jest calls the methods of this class. With it, Jest can neither mock
 * modules nor measure coverage.
 */
export default class NativeRuntime {
  private static imports = 0;

  constructor(private readonly config: ProjectConfig) {}

  /** Loads jest-circus anew, because its modules keep the tests and results of one file. */
  requireInternalModule(file: string): unknown {
    this.forgetCircus();
    Reflect.deleteProperty(require.cache, file);
    return whileReplaced(asyncHooks, 'AsyncLocalStorage', CircusStorage, () => require(file) as unknown);
  }

  requireModule(file: string): unknown {
    return require(file);
  }

  unstable_shouldLoadAsEsm(): boolean {
    return true;
  }

  /** Imports the compiled form of a test file. A repeated import evaluates the file again, but not its imports. */
  async unstable_importModule(file: string): Promise<void> {
    const { rootDir } = this.config;
    const source = path.relative(rootDir, file);
    const compiled = pathToFileURL(path.join(rootDir, 'dist', source.replace(/\.ts$/, '.js')));
    NativeRuntime.imports += 1;
    compiled.search = `import=${NativeRuntime.imports}`;
    await import(compiled.href);
  }

  /** Returns no source maps, because Jest reads those beside the compiled files. */
  getSourceMaps(): Map<string, string> {
    return new Map();
  }

  getAllCoverageInfoCopy(): undefined {
    return undefined;
  }

  /** Does nothing, because jest-circus has set `describe`, `it` and the others on the global object. */
  setGlobalsForRuntime(): void {}

  enterTestCode(): void {}

  leaveTestCode(): void {}

  teardown(): void {
    this.forgetCircus();
  }

  private forgetCircus(): void {
    for (const key of Object.getOwnPropertySymbols(globalThis)) {
      if (key === CIRCUS_HANDLERS || key.description === CIRCUS_STATE) Reflect.deleteProperty(globalThis, key);
    }
  }
}
