import 'reflect-metadata';
import { loadConfig } from '#platform/config';
import { migrate } from './migrate.js';

const { values } = loadConfig();
if (values.DATABASE_OWNER_URL === undefined) {
  process.stderr.write('error: DATABASE_OWNER_URL is not set: migrations run as the owner of the tables\n');
  process.exit(1);
}
const applied = await migrate(values.DATABASE_OWNER_URL, values.DATABASE_APP_ROLE);
const done = applied.length === 0 ? 'the schema was current' : `applied ${applied.join(', ')}`;
process.stdout.write(`${done}; ${values.DATABASE_APP_ROLE} has its rights\n`);
