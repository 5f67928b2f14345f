import { existsSync } from 'node:fs';
import path from 'node:path';

/** The folder of package.json. Tests run compiled, and a path relative to their own file leads into `dist`. */
export const projectRoot = rootOf(import.meta.dirname);

function rootOf(dir: string): string {
  return existsSync(path.join(dir, 'package.json')) ? dir : rootOf(path.dirname(dir));
}
