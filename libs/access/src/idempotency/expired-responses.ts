import { Injectable } from '@nestjs/common';
import { ExpiredRows, type Retention } from '#platform/lifecycle';

/** The stored responses of idempotent requests. */
@Injectable()
export class ExpiredResponses extends ExpiredRows {
  protected readonly retention: Retention = {
    table: 'idempotent_responses',
    key: 'project_id, key',
    since: 'expires_at',
    keptMs: () => 0,
  };
}
