import { Initial0001 } from './0001-initial.js';
import { OneRecordOfAKind0002 } from './0002-one-record-of-a-kind.js';

/** The one linear history of the schema. A new migration goes to the end; a released one never changes. */
export const migrations = [Initial0001, OneRecordOfAKind0002];
