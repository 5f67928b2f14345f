import type { BuildOptions } from 'esbuild';

/** CommonJS packages use these three names, which an ES module does not have. */
const COMMON_JS_NAMES = [
  `import { createRequire as createRequireOfBundle } from 'node:module';`,
  'const require = createRequireOfBundle(import.meta.url);',
  'const __filename = import.meta.filename, __dirname = import.meta.dirname;',
].join('\n');

/** How packages are bundled. */
export const packageOptions = {
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  // Logs, metrics, the injector of Nest and ccxt read the names of classes.
  keepNames: true,
  // Node loads the shorter text in less time and memory. Names, and lines for stacks, are kept.
  minifyWhitespace: true,
  lineLimit: 120,
  banner: { js: COMMON_JS_NAMES },
  logLevel: 'error',
} satisfies BuildOptions;
