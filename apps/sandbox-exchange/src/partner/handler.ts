import { z } from 'zod';
import type { Exchange } from '../exchange.js';
import type { Reply } from '../faults/protocol.js';
import type { PartnerPermission, PartnerProfile, PartnerToken } from '../ledger/partner-records.js';
import type { Account } from '../ledger/records.js';
import { PartnerError } from './partner-error.js';

/** The caller's account and token, read when the call is carried out. */
export interface PartnerCaller {
  exchange: Exchange;
  account: Account;
  profile: PartnerProfile;
  token: PartnerToken;
  now: Date;
}

export interface PartnerCall extends PartnerCaller {
  /** Challenge id in the path. */
  id: string;
  query: Record<string, string>;
}

/**
 * An endpoint of the partner API. Its handler is synchronous, so no other call runs between its checks and its action.
 * It reports errors by throwing `PartnerError`.
 */
export interface PartnerEndpoint<Body = unknown> {
  /** `identity` is a scope of OAuth grants; a token that the owner created needs no permission for it. */
  permission: PartnerPermission | 'identity';
  /** Absent when the call has no body. */
  body?: z.ZodType<Body>;
  handler: (call: PartnerCall, body: Body) => Reply;
}

/**
 * Lets the compiler check that the handler takes the body that the schema describes. The returned type omits the type
 * of the body, so that all endpoints fit into one list.
 */
export function endpoint<Body>(typed: PartnerEndpoint<Body>): PartnerEndpoint {
  const { permission, body, handler } = typed;
  return {
    permission,
    ...(body === undefined ? {} : { body }),
    handler: (call, parsed) => handler(call, parsed as Body),
  };
}

export const ok = (body: unknown): Reply => ({ status: 200, body });

/** @throws PartnerError `invalid_request` */
export function parse<T>(schema: z.ZodType<T>, input: unknown): T {
  const parsed = schema.safeParse(input);
  if (!parsed.success) throw new PartnerError('invalid_request', z.prettifyError(parsed.error));
  return parsed.data;
}

export const seconds = (ms: number): number => Math.floor(ms / 1000);
