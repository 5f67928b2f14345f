/** Settings of tests in a real browser. Without SCREENSHOTS_DIR no screenshots are saved. */
export function browserSettings(): { executablePath: string; screenshotsDir: string | null } {
  const { CHROMIUM_PATH = '/usr/bin/chromium', SCREENSHOTS_DIR = null } = process.env;
  return { executablePath: CHROMIUM_PATH, screenshotsDir: SCREENSHOTS_DIR };
}
