import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { amountText } from '../amount-text.js';
import type { Exchange } from '../exchange.js';
import {
  partnerPermissions,
  stepMethods,
  verificationMethods,
  type Challenge,
  type PartnerToken,
} from '../ledger/partner-records.js';
import type { AccountBook } from '../ledger/state.js';
import { withStep } from '../partner/verification/challenge.js';
import { ADDRESS_BOOK_MAX, addressesToWithdrawTo, openPartnerAccount } from '../partner/accounts/open-account.js';
import type { SandboxServer } from '../server.js';
import { bookOf, manyAccountsInput, name, openingBalances } from './accounts.js';
import { ControlError } from './control-error.js';

const relation = z.enum(['AND', 'OR']).default('AND');
const unique = <T>(list: T[]): boolean => new Set(list).size === list.length;
const steps = z.array(z.enum(stepMethods)).min(1).refine(unique, 'the list contains a method twice');

const verification = z.discriminatedUnion('mode', [
  z.strictObject({ mode: z.literal('none'), methods: z.array(z.never()).default([]), relation }),
  z.strictObject({ mode: z.literal('inline'), methods: z.array(z.enum(verificationMethods)).length(1), relation }),
  z.strictObject({ mode: z.enum(['step_by_step', 'all_at_once']), methods: steps, relation }),
]);

const partnerAccountInput = z.strictObject({
  name: name.default('partner account'),
  token: name.optional(),
  /** The balances by common asset code, such as `{"BTC": "5"}`. */
  balances: z.record(name, amountText).default({}),
  settle: z.enum(['auto', 'manual']).default('auto'),
  verification: verification.default({ mode: 'none', methods: [], relation: 'AND' }),
  kyc: z.enum(['verified', 'required']).default('verified'),
  emailVerified: z.boolean().default(true),
  permissions: z.array(z.enum(partnerPermissions)).default([...partnerPermissions]),
  /** Epoch milliseconds, as in `GET /account`. */
  holdUntil: z.int().min(0).nullable().default(null),
  withdrawalsPerMinute: z.int().min(1).max(10_000).nullable().default(null),
  addressBookMax: z.int().min(0).max(ADDRESS_BOOK_MAX).default(ADDRESS_BOOK_MAX),
  ipAllowlist: z.array(name).max(100).default([]),
  /** Epoch seconds, as in `GET /account`. */
  tokenExpiresAt: z.int().min(0).nullable().default(null),
});
const faceInput = z.strictObject({ challengeId: z.string().optional(), success: z.boolean().default(true) });

type Id = { Params: { id: string } };
type Token = { Params: { token: string } };

/** Routes for accounts of the partner API, their messages, and face checks. */
export function partnerControlRoutes(app: FastifyInstance, { exchange, now }: SandboxServer): void {
  app.post('/control/partner/accounts', ({ body }) =>
    openAccount(exchange, partnerAccountInput.parse(body ?? {}), now()),
  );
  app.post('/control/partner/accounts/bulk', ({ body }) =>
    openAccounts(exchange, manyAccountsInput.parse(body), now()),
  );
  app.get<Id>('/control/accounts/:id/messages', ({ params }) => ({
    messages: bookOf(exchange, params.id)
      .messages.map(({ kind, to, code, challengeId, at }) => ({ kind, to, code, challengeId, at }))
      .reverse(),
  }));
  app.post<Id>('/control/accounts/:id/face', ({ params, body }) => {
    showFace(exchange, bookOf(exchange, params.id), { ...faceInput.parse(body ?? {}), now: now() });
    return {};
  });
  const setRevoked = (text: string, revoked: boolean): unknown => {
    const token = exchange.tokens.get(text);
    if (token === undefined) throw new ControlError(404, 'no account has this token');
    exchange.commit({ token: { ...token, revoked } });
    return {};
  };
  app.post<Token>('/control/partner/tokens/:token/revoke', ({ params }) => setRevoked(params.token, true));
  app.post<Token>('/control/partner/tokens/:token/restore', ({ params }) => setRevoked(params.token, false));
}

/** Opens an account. When the `token` exists, returns the account of that token unchanged. */
function openAccount(exchange: Exchange, input: z.infer<typeof partnerAccountInput>, now: Date): unknown {
  const existing = input.token === undefined ? undefined : exchange.tokens.get(input.token);
  if (existing !== undefined) return describe(exchange, existing);
  if (!exchange.hasRoomFor())
    throw new ControlError(409, 'no further account can be opened; POST /control/reset deletes all accounts');
  const { tokenExpiresAt } = input;
  const token = openPartnerAccount(
    exchange,
    {
      ...input,
      balances: openingBalances(input.balances),
      tokenExpiresAt: tokenExpiresAt === null ? null : tokenExpiresAt * 1000,
    },
    now,
  );
  return describe(exchange, token);
}

function openAccounts(exchange: Exchange, input: z.infer<typeof manyAccountsInput>, now: Date): unknown {
  const { count, namePrefix } = input;
  if (!exchange.hasRoomFor(count))
    throw new ControlError(409, 'no further account can be opened; POST /control/reset deletes all accounts');
  const alike = { ...partnerAccountInput.parse({}), balances: openingBalances(input.balances), tokenExpiresAt: null };
  return {
    accounts: Array.from({ length: count }, (_, index) => {
      const { accountId, token } = openPartnerAccount(exchange, { ...alike, name: `${namePrefix} ${index + 1}` }, now);
      return { accountId, token };
    }),
  };
}

function describe(exchange: Exchange, { accountId, token }: PartnerToken): unknown {
  const totpSecret = exchange.bookOf(accountId).profile?.totpSecret ?? null;
  return { accountId, token, totpSecret, addresses: addressesToWithdrawTo() };
}

/**
 * Sets the result of a face check, as the owner does in the exchange's app. The check belongs to the given challenge,
 * or to the newest challenge that waits for a face check.
 */
export function showFace(
  exchange: Exchange,
  { profile, challenges }: AccountBook,
  { challengeId, success, now }: { challengeId?: string | undefined; success: boolean; now: Date },
): void {
  if (profile === null) throw new ControlError(422, 'the account does not belong to the partner API');
  const status = success ? 'success' : 'failure';
  if (profile.verification.mode === 'inline' && profile.verification.methods.includes('FACE')) {
    return exchange.commit({ profile: { ...profile, face: status } });
  }
  const waiting = [...challenges.values()].filter((one) => awaitsFace(one, now));
  const challenge = waiting.findLast(({ id }) => challengeId === undefined || id === challengeId);
  const step = challenge?.steps.find(({ method }) => method === 'FACE');
  if (challenge === undefined || step === undefined) throw new ControlError(404, 'no challenge waits for a face check');
  exchange.commit({ challenge: withStep(challenge, step, status) });
}

/** Returns whether the challenge is open and its face check has not succeeded. */
export function awaitsFace({ steps, expiresAt, lockedAt }: Challenge, now: Date): boolean {
  const open = expiresAt > now.getTime() && lockedAt === null;
  return open && steps.some(({ method, status }) => method === 'FACE' && status !== 'success');
}
