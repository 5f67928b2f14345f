import { Injectable } from '@nestjs/common';
import { SealedTables, type KeyCount } from '#platform/crypto';
import { Database } from '#platform/database';

/** Registers the collected codes of challenges, so that the command line can show which keys they need. */
@Injectable()
export class SealedChallenges {
  constructor(db: Database, tables: SealedTables) {
    tables.add('withdrawal_challenges', {
      samples: () => Promise.resolve([]),
      countByKey: () =>
        db.query<KeyCount>(
          `select codes.value->>'keyId' as "keyId", count(*)::integer as count
             from withdrawal_challenges, jsonb_each(sealed_codes) codes group by 1 order by 1`,
        ),
      // The codes are erased when they are sent, and when their quote expires.
      rows: null,
    });
  }
}
