/** Text before each bundled file: CommonJS packages use these three names, which an ES module does not have. */
export const COMMON_JS_NAMES = [
  `import { createRequire as createRequireOfBundle } from 'node:module';`,
  'const require = createRequireOfBundle(import.meta.url);',
  'const __filename = import.meta.filename, __dirname = import.meta.dirname;',
].join('\n');
