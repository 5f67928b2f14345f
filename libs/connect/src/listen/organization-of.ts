import { isUUID } from 'class-validator';
import type { FastifyRequest } from 'fastify';
import { ORGANIZATION_HEADER } from '#access';
import { ValidationFailed } from '#platform/errors';

/**
 * Returns the organization that owns the topic. The query may name the organization, because browsers cannot send
 * headers with a WebSocket or an event stream.
 * @throws ValidationFailed
 */
export function organizationOf({ headers }: FastifyRequest, { orgId }: { orgId?: string }): string {
  const header = headers[ORGANIZATION_HEADER];
  const given = orgId ?? header;
  if (!isUUID(given) || (header !== undefined && header !== given)) {
    const rule = 'must be the id of the organization; orgId and the header must be equal if you send both';
    const message = `orgId (or the header ${ORGANIZATION_HEADER}) ${given === undefined ? 'is required' : rule}`;
    throw new ValidationFailed([{ field: 'orgId', message }]);
  }
  // Converts the id to lower case, in which the database and its notifications write UUIDs.
  return (given as string).toLowerCase();
}
