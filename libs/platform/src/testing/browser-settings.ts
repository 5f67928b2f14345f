import { existsSync } from 'node:fs';

/** Debian's browsers. The headless shell has no windows and takes less CPU time. */
const [HEADLESS_SHELL, CHROMIUM] = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'] as const;

/** Settings of tests in a real browser. Without SCREENSHOTS_DIR no screenshots are saved. */
export function browserSettings(): { executablePath: string; screenshotsDir: string | null } {
  const installed = existsSync(HEADLESS_SHELL) ? HEADLESS_SHELL : CHROMIUM;
  const { CHROMIUM_PATH = installed, SCREENSHOTS_DIR = null } = process.env;
  return { executablePath: CHROMIUM_PATH, screenshotsDir: SCREENSHOTS_DIR };
}
