import { Injectable } from '@nestjs/common';
import { Vault } from '#platform/crypto';
import { Database, DatabaseClock, migrations } from '#platform/database';
import { Shutdown } from '#platform/lifecycle';
import type { ReadinessResponse } from './health.dto.js';

const PROBE = { organizationId: '', projectId: '', walletId: '', field: 'probe' };

/** What a process that is not ready asks for: it may be starting, or its database be back, a moment later. */
export const READINESS_RETRY_SECONDS = 1;

@Injectable()
export class Health {
  constructor(
    private readonly database: Database,
    private readonly databaseClock: DatabaseClock,
    private readonly vault: Vault,
    private readonly shutdown: Shutdown,
  ) {}

  /** Never throws: what fails is false. */
  async check(): Promise<ReadinessResponse> {
    const [database, clock] = await Promise.all([
      succeeds(this.database.isReady(migrations.length)),
      succeeds(this.databaseClock.read().then(() => true)),
    ]);
    const checks = {
      database,
      vault: this.vaultOpens(),
      clock,
      running: !this.shutdown.hasBegun,
    };
    return { status: Object.values(checks).every(Boolean) ? 'ready' : 'unavailable', checks };
  }

  private vaultOpens(): boolean {
    try {
      return this.vault.open(this.vault.seal('probe', PROBE), PROBE) === 'probe';
    } catch {
      return false;
    }
  }
}

function succeeds(check: Promise<boolean>): Promise<boolean> {
  return check.catch(() => false);
}
