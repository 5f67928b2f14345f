import { readExchanges } from './exchange-wallets.js';
import { Launcher } from './launcher.js';
import type { Settings } from './settings.js';

export interface LaunchOptions {
  fresh?: boolean;
  watch?: boolean;
  exchanges?: string;
}

/** Starts the installation. It runs until a signal ends it. */
export async function launch(settings: Settings, options: LaunchOptions): Promise<void> {
  const { fresh = false, watch = false } = options;
  const launcher = new Launcher(settings, { fresh, watch, exchanges: readExchanges(options.exchanges) });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => void launcher.stop().then((code) => process.exit(code)));
  }
  await launcher.start();
}
