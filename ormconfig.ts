import 'reflect-metadata';
import { DataSource } from 'typeorm';
import { loadConfig } from '#platform/config';
import { migrations } from '#platform/database';

/**
 * TypeORM's command line reads this configuration. It connects as the owner of the tables:
 * `node node_modules/typeorm/cli.js migration:show -d dist/ormconfig.js`.
 * To bring a database up to date, use `npm run migrate`, which also sets the grants and the queue's schema.
 */
export default new DataSource({
  type: 'postgres',
  url: loadConfig().values.DATABASE_OWNER_URL,
  migrations,
  migrationsTransactionMode: 'each',
});
