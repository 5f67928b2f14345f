import 'reflect-metadata';
import { loadConfig } from '#platform/config';
import { runCli } from './cli.js';

process.exitCode = await runCli(process.argv.slice(2), {
  config: () => loadConfig(),
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
});
