/**
 * Starts `npm start`: bundles the launcher from its sources and runs it. So the launcher reports a busy port or a wrong
 * option before anything is compiled, and loads only what it uses.
 */
import { buildSync } from 'esbuild';

const outfile = 'dist/apps/local/src/main.js';
const options = {
  entryPoints: ['apps/local/src/main.ts'],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  packages: 'external',
  conditions: ['source'],
  // Loaded after the compile, and only for the option --exchanges.
  external: ['./exchange-wallets.js'],
  logLevel: 'warning',
};
try {
  buildSync(options);
} catch {
  // esbuild has printed the reason, such as a folder that cannot be written.
  process.exit(1);
}
await import(new URL(`../../${outfile}`, import.meta.url).href);
