import { Injectable } from '@nestjs/common';
import { VERSION } from '#platform/config';
import { Vault, vaultRefusals } from '#platform/crypto';
import { Database } from '#platform/database';
import { Metrics } from './metrics.js';

/** The metrics that every process has in addition to Node's own. */
@Injectable()
export class ProcessMetrics {
  constructor(metrics: Metrics, db: Database, vault: Vault) {
    const refusals = metrics.counter({
      name: 'causeway_vault_refusals_total',
      help: 'Sealed records that were refused, by reason, and calls that the service of a vault key did not answer.',
      labels: ['reason'],
    });
    // A series that begins with its first refusal would not increase.
    for (const reason of vaultRefusals) refusals.inc({ reason }, 0);
    vault.onRefusal = (reason) => refusals.inc({ reason });
    metrics.gauge(
      {
        name: 'causeway_build_info',
        help: 'Always 1; the labels have the versions of this program and of Node.',
        labels: ['version', 'node'],
      },
      (gauge) => gauge.set({ version: VERSION, node: process.version }, 1),
    );
    metrics.gauge(
      {
        name: 'causeway_database_pool',
        help: 'Connections of this process to PostgreSQL (total, and idle among them), and calls that wait for one.',
        labels: ['state'],
      },
      (gauge) => {
        const { total, idle, waiting } = db.pool();
        gauge.set({ state: 'total' }, total);
        gauge.set({ state: 'idle' }, idle);
        gauge.set({ state: 'waiting' }, waiting);
      },
    );
  }
}
