import { z } from 'zod';
import { Amount, InvalidAmount } from '#money';
import type { Exchange } from '../exchange.js';
import type { Reply } from '../faults/dialect.js';
import type { PartnerPermission, PartnerProfile, PartnerToken } from '../ledger/partner-records.js';
import type { Account } from '../ledger/records.js';
import { PartnerError } from './partner-error.js';

/** Whose call it is; read at the moment it acts. */
export interface PartnerCaller {
  exchange: Exchange;
  account: Account;
  profile: PartnerProfile;
  token: PartnerToken;
  now: Date;
}

export interface PartnerCall extends PartnerCaller {
  /** Challenge id of the path. */
  id: string;
  query: Record<string, string>;
}

/** Synchronous: nothing comes between check and act. Refuses by `PartnerError`. */
export interface PartnerEndpoint<Body = unknown> {
  /** `identity` is a scope of grants; a token that the owner made needs no permission for it. */
  permission: PartnerPermission | 'identity';
  /** Absent = there is no body. */
  body?: z.ZodType<Body>;
  handler: (call: PartnerCall, body: Body) => Reply;
}

/** Binds the type of the body to its handler and forgets it, so that endpoints fit into one list. */
export function endpoint<Body>(one: PartnerEndpoint<Body>): PartnerEndpoint {
  const { permission, body, handler } = one;
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

export const amountText = z.string().transform((text, context) => {
  try {
    return Amount.parseInput(text);
  } catch (error) {
    if (!(error instanceof InvalidAmount)) throw error;
    context.addIssue({ code: 'custom', message: error.message });
    return z.NEVER;
  }
});

export const seconds = (ms: number): number => Math.floor(ms / 1000);
