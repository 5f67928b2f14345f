import { getMetadataArgsStorage } from 'typeorm';
import { Transaction } from '../history/transaction.entity.js';
import { mutable } from './merge-record.js';

/** The columns of the table, with the members of the entity that contain their values. */
const columns = getMetadataArgsStorage()
  .filterColumns(Transaction)
  .map(({ propertyName, options: { name = propertyName, type } }) => ({ name, type, member: `"${propertyName}"` }));
const changing: readonly string[] = [...mutable, 'updatedAt'].map((member) => `"${member}"`);

/** The rows in the one parameter of the statements, the JSON of a list of transactions. */
const rows = `jsonb_to_recordset($1) as r (${columns.map(({ member, type }) => `${member} ${String(type)}`).join(', ')})`;

/** Inserts rows in one statement; returns the ids of the new ones. */
export const INSERT_ROWS = `insert into transactions (${columns.map(({ name }) => name).join(', ')})
  select ${columns.map(({ member }) => member).join(', ')} from ${rows} on conflict do nothing returning id`;

/** Updates the columns that a record may change, in one statement. */
export const UPDATE_ROWS = `update transactions t
  set ${columns
    .filter(({ member }) => changing.includes(member))
    .map(({ name, member }) => `${name} = r.${member}`)
    .join(', ')}
  from ${rows} where t.id = r.id`;
