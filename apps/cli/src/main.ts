import 'reflect-metadata';
import { environmentValue, loadConfig, withLocalInstallation } from '#platform/config';
import { runCli } from './cli.js';
import { secretReader } from './read-secret.js';

// A reader that closes the pipe early (`| head`) is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

process.exitCode = await runCli(process.argv.slice(2), {
  config: () => loadConfig(withLocalInstallation(process.cwd())),
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  secret: secretReader(environmentValue, { input: process.stdin, output: process.stderr }),
  isTerminal: process.stdout.isTTY,
});
