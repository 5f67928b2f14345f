import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Name of the file with the settings of the installation that `npm start` runs, in the same folder as its secrets. */
export const LOCAL_SETTINGS_FILE = 'settings.json';

/**
 * Returns the environment. When it names no database, adds the settings of the installation that `npm start` runs.
 * @param folder the folder in which `npm start` runs
 */
export function withLocalInstallation(folder: string, env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const file = path.join(folder, '.local', LOCAL_SETTINGS_FILE);
  if (env['DATABASE_URL'] || !existsSync(file)) return env;
  return { ...(JSON.parse(readFileSync(file, 'utf8')) as NodeJS.ProcessEnv), ...env };
}
