import type { ExchangeSpec } from '#exchange';
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
  const launcher = new Launcher(settings, { fresh, watch, exchanges: await chosenExchanges(options) });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => void launcher.stop().then((code) => process.exit(code)));
  }
  await launcher.start();
}

/** Loads the exchanges only when they are needed, because all of them are a large part of a start. */
async function chosenExchanges({ exchanges }: LaunchOptions): Promise<readonly ExchangeSpec[]> {
  if (exchanges === undefined) return [];
  const { readExchanges } = await import('./exchange-wallets.js');
  return readExchanges(exchanges);
}
