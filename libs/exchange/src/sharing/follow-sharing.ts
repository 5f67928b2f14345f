import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '#platform/clock';
import { Health } from '#platform/health';
import { RowFollower } from '#platform/lifecycle';
import { LiveProcesses, PROCESSES_CHANNEL, RENEW_EVERY_MS } from './live-processes.js';
import { PAUSES_CHANNEL } from './pause-store.js';
import { summaryOf } from './pause-summary.js';
import { SharedPauses } from './shared-pauses.js';

/** How often a process reads the pauses again, for notifications that did not arrive. */
const PAUSES_EVERY_MS = 5_000;

/**
 * Keeps the pauses of exchanges and the number of processes current in the memory of an API or worker process, and
 * shows the pauses at `/readyz`.
 */
@Injectable()
export class FollowSharing implements OnApplicationBootstrap {
  constructor(
    private readonly pauses: SharedPauses,
    private readonly processes: LiveProcesses,
    private readonly follower: RowFollower,
    health: Health,
    clock: Clock,
  ) {
    health.showPauses(() =>
      summaryOf(pauses.book.list(), clock).map(({ leftMs: _left, since, until, ...rest }) => ({
        ...rest,
        since: since.getTime(),
        until: until.getTime(),
      })),
    );
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.follower.follow({
      name: 'pauses of exchanges',
      channel: PAUSES_CHANNEL,
      everyMs: PAUSES_EVERY_MS,
      reload: () => this.pauses.reload(),
    });
    await this.follower.follow({
      name: 'processes that call exchanges',
      channel: PROCESSES_CHANNEL,
      everyMs: RENEW_EVERY_MS,
      reload: () => this.processes.renew(),
    });
  }
}
