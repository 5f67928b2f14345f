import { Injectable } from '@nestjs/common';
import { ExpiredRows, type Retention } from '#platform/lifecycle';

/** Deletes the stored responses of idempotent requests after their expiry. */
@Injectable()
export class ExpiredResponses extends ExpiredRows {
  protected readonly retention: Retention = {
    table: 'idempotent_responses',
    key: 'project_id, key',
    since: 'expires_at',
    keptMs: () => 0,
  };
}
