import { z } from 'zod';
import { Amount } from '#money';
import { countryCode } from '../../port/country-code.js';

/** The fields that we read of Coinbase App (v2) and Advanced Trade (v3). */

/** v2 responds with `{"errors": [{"id", "message"}]}`, v3 with `{"error", "message", …}`. */
const v2Errors = z.object({ errors: z.array(z.object({ id: z.string().min(1) })) });
const v3Error = z.object({ error: z.string().min(1) });

export function readErrorIds(body: unknown): string[] {
  const v2 = v2Errors.safeParse(body);
  if (v2.success) return v2.data.errors.map(({ id }) => id);
  const v3 = v3Error.safeParse(body);
  return v3.success ? [v3.data.error] : [];
}

/** Amounts are strings; a number would have lost digits already. */
const money = z.object({ value: z.string().transform((text) => Amount.of(text)) });

const account = z.object({
  uuid: z.string().min(1),
  currency: z.string().min(1),
  available_balance: money,
  hold: money,
  type: z.string().nullish(),
});
export type CoinbaseAccount = z.infer<typeof account>;

const accountPage = z.object({
  accounts: z.array(account),
  has_next: z.boolean(),
  cursor: z.string().nullish(),
});

/** GET /api/v3/brokerage/accounts: one page. */
export function readAccountPage(body: unknown): { accounts: CoinbaseAccount[]; nextCursor: string | null } {
  const { accounts, has_next: hasNext, cursor } = accountPage.parse(body);
  if (!hasNext) return { accounts, nextCursor: null };
  if (typeof cursor !== 'string' || cursor === '') throw new Error('more pages, but no cursor');
  return { accounts, nextCursor: cursor };
}

const keyPermissions = z.object({ can_view: z.boolean(), can_trade: z.boolean(), can_transfer: z.boolean() });

/** GET /api/v3/brokerage/key_permissions, as the permissions are named when a key is created. */
export function readKeyPermissions(body: unknown): string[] {
  const { can_view: view, can_trade: trade, can_transfer: transfer } = keyPermissions.parse(body);
  return Object.entries({ view, trade, transfer }).flatMap(([name, has]) => (has ? [name] : []));
}

const authorization = z.object({ data: z.object({ scopes: z.array(z.string()) }) });

/** GET /v2/user/auth: the scopes of a token. */
export const readScopes = (body: unknown): string[] => authorization.parse(body).data.scopes;

/** A text of any length, which the reader limits. A long text is no reason to reject the other fields. */
const personal = z
  .string()
  .nullish()
  .transform((text) => (text === undefined || text === null || text.trim() === '' ? null : text));

const user = z.object({
  data: z.object({
    name: personal,
    /** Only with wallet:user:email. */
    email: personal,
    /** Only with wallet:user:read. */
    country: z.object({ code: countryCode.nullish() }).nullish(),
  }),
});

/** GET /v2/user. */
export function readUser(body: unknown): { fullName: string | null; email: string | null; country: string | null } {
  const { name, email, country } = user.parse(body).data;
  return { fullName: name, email, country: country?.code ?? null };
}
