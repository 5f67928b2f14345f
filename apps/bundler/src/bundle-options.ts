import type { BuildOptions, OnResolveArgs, Plugin } from 'esbuild';

/** CommonJS packages use these three names, which an ES module does not have. */
const COMMON_JS_NAMES = [
  `import { createRequire as createRequireOfBundle } from 'node:module';`,
  'const require = createRequireOfBundle(import.meta.url);',
  'const __filename = import.meta.filename, __dirname = import.meta.dirname;',
].join('\n');

/** esbuild's options for bundles of npm packages. */
export const packageOptions = {
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  // Logs, metrics, and the injector of Nest read the names of classes.
  keepNames: true,
  // Node loads a shorter text in less time and memory. Names, and line breaks for stack traces, are kept.
  minifyWhitespace: true,
  lineLimit: 120,
  banner: { js: COMMON_JS_NAMES },
  logLevel: 'error',
} satisfies BuildOptions;

/** Leaves out of a bundle the imports that `isLeftOut` selects, and optional packages that are not installed. */
export function leavingOut(isLeftOut: (specifier: string, kind: OnResolveArgs['kind']) => boolean): Plugin {
  return {
    name: 'leaving-out',
    setup(bundler) {
      // Marks the call of `bundler.resolve` below, because esbuild passes that call to this function again.
      const own = Symbol('own');
      bundler.onResolve({ filter: /^[^./]/ }, async ({ path: specifier, pluginData, ...place }) => {
        if (pluginData === own) return;
        const external = { path: specifier, external: true };
        if (isLeftOut(specifier, place.kind)) return external;
        const found = await bundler.resolve(specifier, { ...place, pluginData: own });
        return found.errors.length > 0 ? external : found;
      });
    },
  };
}
