import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Database } from '#platform/database';
import { PeriodicTasks } from '#platform/lifecycle';

const SWEEP_MS = 5_000;
/** Maximum number of endpoints that one statement deletes, with their secrets and deliveries. */
const BATCH = 10;

/** Deletes the webhook endpoints of deleted projects, with their secrets and the log of their deliveries. */
@Injectable()
export class EraseEndpointsOfDeletedProjects implements OnApplicationBootstrap {
  constructor(
    private readonly db: Database,
    private readonly periodicTasks: PeriodicTasks,
  ) {}

  onApplicationBootstrap(): void {
    this.periodicTasks.startDueWork('deletion of webhook endpoints of deleted projects', SWEEP_MS, () =>
      this.execute(),
    );
  }

  /** @returns the number of deleted endpoints */
  async execute(): Promise<number> {
    const deleted = await this.db.query(
      `delete from webhook_endpoints where id in
         (select e.id from projects p join webhook_endpoints e on e.project_id = p.id
           where p.deleted_at is not null limit $1 for update of e skip locked)
       returning id`,
      [BATCH],
    );
    return deleted.length;
  }
}
