import { parseArgs } from 'node:util';
import { Launcher } from './launcher.js';
import { Problem } from './problem.js';
import { readSettings } from './settings.js';
import { say } from './terminal.js';

try {
  const { values } = parseArgs({ options: { fresh: { type: 'boolean' }, watch: { type: 'boolean' } } });
  const launcher = new Launcher(readSettings(process.env), {
    fresh: values.fresh ?? false,
    watch: values.watch ?? false,
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => void launcher.stop().then((code) => process.exit(code)));
  }
  await launcher.start();
} catch (error) {
  // A Problem is shown as one line; any other error is a defect and is shown with its stack.
  say(error instanceof Problem ? error.message : String(error instanceof Error ? error.stack : error));
  process.exit(1);
}
