/**
 * The program of `npm start`. It bundles the launcher from its sources and runs it, so that the launcher reports a busy
 * port or a wrong option before anything is compiled, and loads only what it uses.
 */
import { buildSync } from 'esbuild';

const source = (name) => `apps/local/src/${name}.ts`;
const needsExchanges = process.argv.some((argument) => argument.startsWith('--exchanges'));
const options = {
  entryPoints: [source('main'), ...(needsExchanges ? [source('chosen-exchanges')] : [])],
  outbase: '.',
  outdir: 'dist',
  bundle: true,
  platform: 'node',
  format: 'esm',
  packages: 'external',
  conditions: ['source'],
  // Loaded only for the option --exchanges.
  external: ['./chosen-exchanges.js'],
  logLevel: 'warning',
};
try {
  buildSync(options);
} catch {
  // esbuild has printed the reason, such as a folder that cannot be written.
  process.exit(1);
}
await import(new URL('../../dist/apps/local/src/main.js', import.meta.url).href);
