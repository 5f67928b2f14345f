/** For tests in a real browser: which one, and where pictures of the pages go; null = nowhere. */
export function browserSettings(): { executablePath: string; screenshotsDir: string | null } {
  const { CHROMIUM_PATH = '/usr/bin/chromium', SCREENSHOTS_DIR = null } = process.env;
  return { executablePath: CHROMIUM_PATH, screenshotsDir: SCREENSHOTS_DIR };
}
