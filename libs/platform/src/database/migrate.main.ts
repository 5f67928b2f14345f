import 'reflect-metadata';
import { loadConfig } from '#platform/config';
import { migrate } from './migrate.js';

const { values } = loadConfig();
if (values.DATABASE_OWNER_URL === undefined)
  throw new Error('DATABASE_OWNER_URL is not set: migrations run as the owner of the tables');
await migrate(values.DATABASE_OWNER_URL, values.DATABASE_APP_ROLE);
