import { Initial0001 } from './0001-initial.js';

/** The one linear history of the schema. A new migration goes to the end; a released one never changes. */
export const migrations = [Initial0001];
