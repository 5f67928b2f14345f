import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Vault } from '#platform/crypto';
import { Database, DatabaseClock, migrations } from '#platform/database';
import { Shutdown } from '#platform/lifecycle';
import { CheckVaultKeys } from './check-vault-keys.js';
import type { ReadinessResponse, ShownPauses } from './health.dto.js';

/** `Retry-After` of a process that is not ready, which may be starting or waiting for its database. */
const READINESS_RETRY_SECONDS = 1;

@Injectable()
export class Health {
  private queueIsReachable?: () => Promise<boolean>;
  private listPauses: () => ShownPauses[] = () => [];
  private checking: Promise<Omit<ReadinessResponse['checks'], 'running'>> | null = null;

  constructor(
    private readonly database: Database,
    private readonly databaseClock: DatabaseClock,
    private readonly vault: Vault,
    private readonly vaultKeys: CheckVaultKeys,
    private readonly shutdown: Shutdown,
  ) {}

  /** Makes the process ready only while the queue is reachable, too. */
  requireQueue(isReachable: () => Promise<boolean>): void {
    this.queueIsReachable = isReachable;
  }

  /** Shows the pauses of calls to exchanges with the checks. */
  showPauses(list: () => ShownPauses[]): void {
    this.listPauses = list;
  }

  /** Answers a request to `/readyz`. */
  async answer(reply: FastifyReply): Promise<ReadinessResponse> {
    const readiness = await this.check();
    const isReady = readiness.status === 'ready';
    void reply.status(isReady ? 200 : 503).header('cache-control', 'no-store');
    if (!isReady) void reply.header('retry-after', READINESS_RETRY_SECONDS);
    return readiness;
  }

  /**
   * Never throws: a failed check is false. Concurrent calls share their checks, because every client can send probes,
   * and no probe is refused.
   */
  async check(): Promise<ReadinessResponse> {
    this.checking ??= this.checkDependencies().finally(() => (this.checking = null));
    const checks = { ...(await this.checking), running: !this.shutdown.isAnnounced };
    return {
      status: Object.values(checks).every(Boolean) ? 'ready' : 'unavailable',
      checks,
      pauses: this.listPauses(),
    };
  }

  private async checkDependencies(): Promise<Omit<ReadinessResponse['checks'], 'running'>> {
    const [database, keys, isVaultWorking, clock, queue] = await Promise.all([
      succeeds(this.database.isReady(migrations.length)),
      succeeds(this.vaultKeys.check()),
      succeeds(this.vault.works()),
      succeeds(this.databaseClock.read().then(() => true)),
      this.queueIsReachable && succeeds(this.queueIsReachable()),
    ]);
    return { database, vault: keys && isVaultWorking, clock, ...(queue !== undefined && { queue }) };
  }
}

function succeeds(check: Promise<boolean>): Promise<boolean> {
  return check.catch(() => false);
}
