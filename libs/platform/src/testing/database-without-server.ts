import { DataSource } from 'typeorm';
import { Database } from '#platform/database';

/** Returns a database whose transactions only begin and end, so that it needs no server. */
export function databaseWithoutServer(): Database {
  const dataSource = new DataSource({ type: 'postgres' });
  const create = dataSource.createQueryRunner.bind(dataSource);
  const connection = {
    connect: () => Promise.resolve({ getTransactionStatus: () => 'I' }),
    query: () => Promise.resolve([]),
  };
  dataSource.createQueryRunner = () => Object.assign(create(), connection);
  return new Database(dataSource);
}
