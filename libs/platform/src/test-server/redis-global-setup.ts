import { spawnSync } from 'node:child_process';
import setup from './global-setup.js';

/** Sets up PostgreSQL, and checks that Redis is installed. Each test file starts its own Redis, which it can kill. */
export default async function setupWithRedis(): Promise<void> {
  if (spawnSync('redis-server', ['--version']).status !== 0) {
    throw new Error('redis-server is not installed. On Debian and Ubuntu: apt-get install redis-server');
  }
  await setup();
}
