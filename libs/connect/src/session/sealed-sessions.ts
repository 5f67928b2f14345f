import { Injectable } from '@nestjs/common';
import { SealedTables } from '#platform/crypto';
import { Database, SealedRows } from '#platform/database';

/** Registers the sealed data of connect sessions, so that the command line can show which keys it needs. */
@Injectable()
export class SealedSessions {
  constructor(db: Database, tables: SealedTables) {
    const rows = new SealedRows(db, { table: 'connect_sessions', id: 'id', record: 'sealed' });
    tables.add('connect_sessions', {
      samples: () => Promise.resolve([]),
      countByKey: () => rows.countByKey(),
      // The data is erased with the next step of the session, at the latest when the session ends.
      rows: null,
    });
  }
}
