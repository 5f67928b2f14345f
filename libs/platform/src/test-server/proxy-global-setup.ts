import { spawnSync } from 'node:child_process';
import setup from './redis-global-setup.js';

/** Debian installs nginx where the PATH of a user does not look. */
const PATH = '/usr/sbin:/usr/bin:/usr/local/bin:/opt/homebrew/bin';

/** PostgreSQL and Redis as for the other tests, and a look for nginx: each test file starts one of its own. */
export default async function setupWithProxy(): Promise<void> {
  if (spawnSync('nginx', ['-v'], { env: { PATH } }).status !== 0) {
    throw new Error('nginx is not installed. On Debian and Ubuntu: apt-get install nginx');
  }
  await setup();
}
