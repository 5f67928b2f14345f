import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Projects } from '#access';
import { Clock } from '#platform/clock';
import {
  rowsOfEachKey,
  SealedSamples,
  Secret,
  Vault,
  type SealContext,
  type SealedRecord,
  type SealedSample,
} from '#platform/crypto';
import { Database } from '#platform/database';
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
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly vault: Vault,
    private readonly projects: Projects,
    samples: SealedSamples,
  ) {
    samples.add('webhook_secrets', () => this.listSamples());
  }

  /** Creates the current secret. The endpoint must have no other current secret. */
  async create(tx: EntityManager, endpoint: EndpointOfProject): Promise<Secret> {
    const { organizationId } = await this.projects.getContext(endpoint.projectId, tx);
    const id = this.clock.newId();
    const secret = `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
    const sealed = this.vault.seal(secret, contextOf(id, endpoint, organizationId));
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

  /** The secrets that sign now, the current one first. */
  async listSigning(endpoint: EndpointOfProject): Promise<Secret[]> {
    const { organizationId } = await this.projects.getContext(endpoint.projectId);
    const rows = await this.db.query<{ id: string; sealed: SealedRecord }>(
      `select id, sealed from webhook_secrets where endpoint_id = $1 and (expires_at is null or expires_at > $2)
        order by created_at desc, id desc`,
      [endpoint.id, this.clock.now()],
    );
    return rows.map(({ id, sealed }) => new Secret(this.vault.open(sealed, contextOf(id, endpoint, organizationId))));
  }

  private async listSamples(): Promise<SealedSample[]> {
    const rows = await this.db.query<{ id: string; sealed: SealedRecord; endpointId: string; projectId: string }>(
      `select found.id, found.sealed, e.id as "endpointId", e.project_id as "projectId"
         from (${rowsOfEachKey('webhook_secrets', 'sealed')}) found join webhook_endpoints e on e.id = found.endpoint_id`,
    );
    return Promise.all(
      rows.map(async ({ id, sealed, endpointId, projectId }) => {
        const { organizationId } = await this.projects.getContext(projectId);
        return { record: sealed, context: contextOf(id, { id: endpointId, projectId }, organizationId) };
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
