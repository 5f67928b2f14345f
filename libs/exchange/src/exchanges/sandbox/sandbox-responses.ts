import { z } from 'zod';
import { Amount } from '#money';
import { balanceReader, mergeAccounts } from '../../capabilities/account-balances.js';
import { readerOrNull } from '../../capabilities/entry-fields.js';
import { countryCode } from '../../port/country-code.js';
import type {
  AssetBalance,
  HistoryKind,
  KeyInfo,
  VerificationChallenge,
  VerificationMethod,
} from '../../port/exchange.port.js';
import type { ListReader } from '../../transport/list-reader.js';

/** Readers of the responses of the sandbox exchange's partner API (docs/sandbox.md). */

const amount = z.string().transform((text) => Amount.of(text));
/** An amount that cannot be negative. */
const quantity = amount.refine((value) => !value.isNegative());
const epochSeconds = z.int().nonnegative().nullable();
/** Epoch milliseconds. */
const moment = z.int().transform((ms) => new Date(ms));

const methods = ['GOOGLE', 'EMAIL', 'SMS', 'FACE', 'YUBIKEY', 'PASSPHRASE'] as const satisfies VerificationMethod[];
const method = z.enum(methods);

const account = z
  .object({
    permissions: z.array(z.string()),
    ipAllowlist: z.array(z.string()),
    tokenExpiresAt: epochSeconds,
    tokenCreatedAt: epochSeconds,
    tokenLastUsedAt: epochSeconds,
  })
  .transform(({ permissions, ipAllowlist, ...token }) => ({
    permissions,
    ipAllowlist,
    validUntil: token.tokenExpiresAt,
    lastUsed: token.tokenLastUsedAt,
    createdTime: token.tokenCreatedAt,
    modifiedTime: null,
  }));

/** GET /account: permissions, IP allow-list and times of the API token. */
export const readKeyInfo = (body: unknown): KeyInfo => account.parse(body);

/** A text of any length, so that a long text does not make the other fields unreadable. */
const personal = z.string().min(1).nullable();
const identity = z.object({ fullName: personal, email: personal, iban: personal, country: countryCode.nullable() });

/** GET /identity: the account's owner; null = not known. */
export const readIdentity = (body: unknown) => identity.parse(body);

const balances = z.object({ balances: z.array(z.unknown()) });
const readMain = balanceReader((body) => balances.parse(body).balances, { asset: 'asset', free: 'free', used: 'held' });

/** GET /balances. Asset codes are the common ones: BTC, not XBT. */
export const readBalances = (body: unknown, lists: ListReader): AssetBalance[] =>
  mergeAccounts([{ name: 'main', paysWithdrawals: true, balances: readMain(body, (asset) => asset, lists) }]);

const network = z.object({
  asset: z.string(),
  /** The API's own id of the network. */
  network: z.string(),
  displayName: z.string(),
  addressRegex: z.string(),
  tagType: z.enum(['memo', 'destinationTag']).nullable(),
  decimals: z.int().min(0).max(18),
  /** Bounds of the arriving amount. */
  minimum: amount,
  maximum: amount,
  fee: amount,
  feeAsset: z.string(),
});
export type SandboxNetwork = z.infer<typeof network>;

const networks = z.object({ networks: z.array(z.unknown()) });

/** GET /networks: entries that are read one by one. */
export const readNetworkEntries = (body: unknown) => networks.parse(body).networks;
export const readNetwork = (entry: unknown): SandboxNetwork => network.parse(entry);

const preview = z.object({
  /** The amount that arrives. */
  amount,
  fee: amount,
  /** The amount that is debited. */
  total: amount,
  /** Bounds of the arriving amount. */
  minimum: amount,
  maximum: amount,
  requires: z.array(method),
});
export type SandboxPreview = z.infer<typeof preview>;

/** POST /withdrawals/preview: the cost of a withdrawal. */
export const readPreview = (body: unknown) => preview.parse(body);

const step = z
  .object({
    method,
    status: z.enum(['pending', 'success', 'failure']),
    required: z.boolean(),
    email: z.string().optional(),
    emailSent: z.boolean().optional(),
    phone: z.string().optional(),
    smsSent: z.boolean().optional(),
  })
  .transform(({ method: type, status, required, ...metadata }) => {
    const isTold = Object.keys(metadata).length > 0;
    return { type, status, required, ...(isTold && { metadata }) };
  });

const challenge: z.ZodType<VerificationChallenge> = z.object({
  id: z.string().min(1),
  mode: z.enum(['step_by_step', 'all_at_once']),
  relation: z.enum(['AND', 'OR']),
  steps: z.array(step),
  expiresAt: moment,
});

/** GET /challenges/{id}, POST /challenges/{id}/verify */
export const readChallenge = (body: unknown) => z.object({ challenge }).parse(body).challenge;
/** POST /challenges; null = no verification is required before the withdrawal is sent. */
export const readOpened = (body: unknown) => z.object({ challenge: challenge.nullable() }).parse(body).challenge;

const deposit = z.object({
  id: z.string().min(1),
  asset: z.string(),
  network: z.string(),
  address: z.string(),
  tag: z.string().nullable(),
  /** The amount that arrives. */
  amount: quantity,
  fee: quantity,
  status: z.string(),
  txHash: z.string().nullable(),
  createdAt: moment,
});
/** The fields that deposits and withdrawals share. */
export type SandboxMovement = z.infer<typeof deposit>;

const withdrawal = deposit.extend({ reference: z.string() });
export type SandboxWithdrawal = z.infer<typeof withdrawal>;

/** Parses one record; null = it is unreadable. */
export const readMovement = {
  deposit: readerOrNull<SandboxMovement>(deposit),
  withdrawal: readerOrNull<SandboxMovement>(withdrawal),
};

/** A page of withdrawals; fails if any entry is unreadable. */
export const readWithdrawals = (entries: unknown) => z.array(withdrawal).parse(entries);

const entries = z.array(z.unknown());
const nextCursor = z.string().nullable();

const accountMovement = z.object({
  id: z.string().min(1),
  type: z.string(),
  /** The id of the deposit, withdrawal or order that caused the movement. */
  recordId: z.string().min(1).nullable(),
  asset: z.string(),
  /** A signed amount that includes the fee. */
  change: amount,
  createdAt: moment,
});
export type SandboxAccountMovement = z.infer<typeof accountMovement>;

/** GET /movements: a page, newest first; fails if any entry is unreadable. */
export const readAccountMovements = (body: unknown) =>
  z.object({ movements: z.array(accountMovement), nextCursor }).parse(body);

/** GET /withdrawals, GET /deposits: newest first. */
export const readListing = {
  withdrawal: (body: unknown) => {
    const page = z.object({ withdrawals: entries, nextCursor }).parse(body);
    return { entries: page.withdrawals, nextCursor: page.nextCursor };
  },
  deposit: (body: unknown) => {
    const page = z.object({ deposits: entries, nextCursor }).parse(body);
    return { entries: page.deposits, nextCursor: page.nextCursor };
  },
} satisfies Record<HistoryKind, (body: unknown) => SandboxListing>;
export interface SandboxListing {
  entries: unknown[];
  nextCursor: string | null;
}

const booked = z.object({ withdrawal: z.object({ id: z.string().min(1), reference: z.string() }) });

/** POST /withdrawals: the id of the booking under this reference; null = the response contains none. */
export function readBookedId(body: unknown, reference: string | undefined): string | null {
  const parsed = booked.safeParse(body);
  return parsed.success && parsed.data.withdrawal.reference === reference ? parsed.data.withdrawal.id : null;
}

const depositMethod = z.object({
  asset: z.string(),
  network: z.string(),
  tagType: z.enum(['memo', 'destinationTag']).nullable(),
  /** The smallest deposit that the exchange credits. */
  minimum: amount,
  fee: amount,
  limit: amount.nullable(),
});
export type SandboxDepositMethod = z.infer<typeof depositMethod>;

/** GET /deposit-methods: entries that are read one by one. */
export const readDepositMethodEntries = (body: unknown) =>
  z.object({ depositMethods: z.array(z.unknown()) }).parse(body).depositMethods;
export const readDepositMethod = (entry: unknown): SandboxDepositMethod => depositMethod.parse(entry);

const depositAddress = z.object({
  asset: z.string(),
  network: z.string(),
  address: z.string().min(1),
  tag: z.string().min(1).nullable(),
  expiresAt: moment.nullable(),
});

/** GET /deposit-addresses; fails if any entry is unreadable. */
export const readDepositAddresses = (body: unknown) =>
  z.object({ addresses: z.array(depositAddress) }).parse(body).addresses;

const refused = z.object({ error: z.object({ code: z.string().min(1) }) });

/** The error code in `{"error": {"code", "message", …}}`. */
export function readErrorCodes(body: unknown): string[] {
  const parsed = refused.safeParse(body);
  return parsed.success ? [parsed.data.error.code] : [];
}

const unverified = z.object({
  error: z.object({ method: method.optional().catch(undefined), challenge: challenge.optional().catch(undefined) }),
});

/** The fields beside the codes `verification_required` and `verification_failed`. */
export function readMissingVerification(body: unknown): {
  method?: VerificationMethod | undefined;
  challenge?: VerificationChallenge | undefined;
} {
  const parsed = unverified.safeParse(body);
  return parsed.success ? parsed.data.error : {};
}
