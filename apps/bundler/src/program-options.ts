import type { BuildOptions } from 'esbuild';

/** esbuild's options for bundles of our own compiled modules, which leave the packages outside. */
export const programOptions = {
  bundle: true,
  splitting: true,
  chunkNames: 'shared/[hash]',
  format: 'esm',
  platform: 'node',
  target: 'node20',
  packages: 'external',
  // Logs, metrics, the injector of Nest and the migrations read the names of classes.
  keepNames: true,
  sourcemap: true,
  sourcesContent: false,
  logLevel: 'warning',
} satisfies BuildOptions;
