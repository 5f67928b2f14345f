import { spawnSync } from 'node:child_process';
import setup from './global-setup.js';

/** PostgreSQL as for the other tests, and a look for Redis: each test file starts a server of its own, to harm it. */
export default async function setupWithRedis(): Promise<void> {
  if (spawnSync('redis-server', ['--version']).status !== 0) {
    throw new Error('redis-server is not installed. On Debian and Ubuntu: apt-get install redis-server');
  }
  await setup();
}
