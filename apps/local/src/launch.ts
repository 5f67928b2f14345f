import type { ExchangeSpec } from '#exchange';
import { Launcher } from './launcher.js';
import type { Settings } from './settings.js';

export interface LaunchOptions {
  fresh?: boolean;
  watch?: boolean;
  exchanges: readonly ExchangeSpec[];
}

/** Starts the installation. It runs until a signal ends it. */
export async function launch(settings: Settings, options: LaunchOptions): Promise<void> {
  const { fresh = false, watch = false, exchanges } = options;
  const launcher = new Launcher(settings, { fresh, watch, exchanges });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => void launcher.stop().then((code) => process.exit(code)));
  }
  await launcher.start();
}
