import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Projects } from '#access';
import { Clock } from '#platform/clock';
import {
  rowsOfEachKey,
  SealedTables,
  Secret,
  Vault,
  type SealContext,
  type Sealer,
  type SealedRecord,
  type SealedSample,
} from '#platform/crypto';
import { Database, SealedRows } from '#platform/database';
import { Conflict } from '#platform/errors';

/** Random bytes of a secret. */
const SECRET_BYTES = 32;
/** Maximum number of secrets of an endpoint that sign at the same time. */
const SECRETS_MAX = 3;

interface EndpointOfProject {
  id: string;
  projectId: string;
}

/** The secrets of endpoints, in the form of Standard Webhooks: `whsec_` and base64. They are stored sealed. */
@Injectable()
export class WebhookSecrets {
  private readonly rows: SealedRows;

  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly vault: Vault,
    private readonly projects: Projects,
    tables: SealedTables,
  ) {
    this.rows = new SealedRows(db, { table: 'webhook_secrets', id: 'id', record: 'sealed' });
    tables.add('webhook_secrets', {
      samples: () => this.listSamples(),
      countByKey: () => this.rows.countByKey(),
      rows: {
        countOther: (keyId) => this.rows.countOther(keyId),
        listOther: (keyId, after, limit) => this.rows.listOther(keyId, after, limit),
        reseal: (id) => this.reseal(id),
      },
    });
  }

  /** Makes the data key of a secret. Call it before the transaction. @throws KeysUnavailable */
  async sealer({ projectId }: Pick<EndpointOfProject, 'projectId'>): Promise<Sealer> {
    return this.vault.sealer(await this.projects.getContext(projectId));
  }

  /** Creates the current secret. The endpoint must have no other current secret. */
  async create(tx: EntityManager, endpoint: EndpointOfProject, sealer: Sealer): Promise<Secret> {
    const { organizationId } = await this.projects.getContext(endpoint.projectId, tx);
    const id = this.clock.newId();
    const secret = `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
    const [write] = await this.db.query<{ sequence: number }>(
      `update webhook_endpoints set secrets_sequence = secrets_sequence + 1 where id = $1
       returning secrets_sequence as sequence`,
      [endpoint.id],
      tx,
    );
    const sealed = sealer.seal(secret, { ...contextOf(id, endpoint, organizationId), sequence: write?.sequence });
    await this.db.query(
      `insert into webhook_secrets (id, endpoint_id, sealed, created_at) values ($1, $2, $3, $4)`,
      [id, endpoint.id, JSON.stringify(sealed), this.clock.now()],
      tx,
    );
    return new Secret(secret);
  }

  /**
   * Lets no secret sign after `until`, and deletes the secrets that no longer sign. Afterwards the endpoint has no
   * current secret.
   * @throws Conflict (409) while too many secrets sign.
   */
  async retire(tx: EntityManager, endpoint: EndpointOfProject, until: Date): Promise<void> {
    await this.db.query(
      `update webhook_secrets set expires_at = least(expires_at, $2) where endpoint_id = $1`,
      [endpoint.id, until],
      tx,
    );
    await this.db.query(
      `delete from webhook_secrets where endpoint_id = $1 and expires_at <= $2`,
      [endpoint.id, this.clock.now()],
      tx,
    );
    const signing = await this.db.query(`select id from webhook_secrets where endpoint_id = $1`, [endpoint.id], tx);
    if (signing.length >= SECRETS_MAX) {
      const message = `The endpoint has ${SECRETS_MAX} secrets that still sign; rotate again when the oldest has expired`;
      throw new Conflict(message);
    }
  }

  /**
   * The secrets that sign now, the current one first.
   * @throws NotCurrent when an earlier secret was put back in place of the current one
   * @throws CannotOpen, KeysUnavailable
   */
  async listSigning(endpoint: EndpointOfProject): Promise<Secret[]> {
    const { organizationId } = await this.projects.getContext(endpoint.projectId);
    // The current secret is the newest one. One that signs during an overlap has the number of its own write.
    const rows = await this.db.query<{ id: string; sealed: SealedRecord; newest: number | null }>(
      `select s.id, s.sealed, case when s.expires_at is null then e.secrets_sequence end as newest
       from webhook_secrets s join webhook_endpoints e on e.id = s.endpoint_id
        where s.endpoint_id = $1 and (s.expires_at is null or s.expires_at > $2)
        order by s.created_at desc, s.id desc`,
      [endpoint.id, this.clock.now()],
    );
    return Promise.all(
      rows.map(async ({ id, sealed, newest }) => {
        const context = { ...contextOf(id, endpoint, organizationId), sequence: newest ?? sealed.sequence };
        return new Secret(await this.vault.open(sealed, context));
      }),
    );
  }

  private async reseal(id: string): Promise<boolean> {
    const [row] = await this.db.query<{ endpointId: string; projectId: string; sealed: SealedRecord }>(
      `select e.id as "endpointId", e.project_id as "projectId", s.sealed
         from webhook_secrets s join webhook_endpoints e on e.id = s.endpoint_id where s.id = $1`,
      [id],
    );
    if (row === undefined) return false;
    const { endpointId, projectId, sealed: old } = row;
    const project = await this.projects.getContext(projectId);
    const context = contextOf(id, { id: endpointId, projectId }, project.organizationId);
    return await this.rows.replace(id, old, await this.vault.reseal(old, context, await this.vault.sealer(project)));
  }

  private async listSamples(): Promise<SealedSample[]> {
    const rows = await this.db.query<{ id: string; sealed: SealedRecord; endpointId: string; projectId: string }>(
      `select found.id, found.sealed, e.id as "endpointId", e.project_id as "projectId"
         from (${rowsOfEachKey('every_webhook_secrets', 'sealed')}) found join webhook_endpoints e on e.id = found.endpoint_id`,
    );
    return Promise.all(
      rows.map(async ({ id, sealed, endpointId, projectId }) => {
        const { organizationId } = await this.projects.getContext(projectId);
        const context = contextOf(id, { id: endpointId, projectId }, organizationId);
        return { record: sealed, context: { ...context, sequence: sealed.sequence } };
      }),
    );
  }
}

/**
 * Returns the context to which the vault binds a sealed secret. A secret belongs to no wallet, so `walletId` is empty,
 * and `field` names the secret's endpoint and its row.
 */
function contextOf(id: string, { id: endpointId, projectId }: EndpointOfProject, organizationId: string): SealContext {
  return { organizationId, projectId, walletId: '', field: `webhook_secret:${endpointId}:${id}` };
}
