import { existsSync } from 'node:fs';
import path from 'node:path';

/** The compiled programs, whether this file runs as one of them or as its source in a test. */
export const distDir = path.join(rootOf(import.meta.dirname), 'dist');

function rootOf(dir: string): string {
  return existsSync(path.join(dir, 'package.json')) ? dir : rootOf(path.dirname(dir));
}
