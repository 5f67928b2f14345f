import { spawnSync } from 'node:child_process';
import setup from './redis-global-setup.js';

/** Debian installs nginx in a folder that is not in the PATH of a user. */
const PATH = '/usr/sbin:/usr/bin:/usr/local/bin:/opt/homebrew/bin';

/** Sets up PostgreSQL and Redis, and checks that nginx is installed. Each test file starts its own nginx. */
export default async function setupWithProxy(): Promise<void> {
  if (spawnSync('nginx', ['-v'], { env: { PATH } }).status !== 0) {
    throw new Error('nginx is not installed. On Debian and Ubuntu: apt-get install nginx');
  }
  await setup();
}
