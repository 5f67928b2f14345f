import { Amount } from '#money';
import { findAsset, type SandboxAsset } from '../../catalogue.js';
import type { Exchange } from '../../exchange.js';
import type { PartnerToken, VerificationConfig, VerificationMethod } from '../../ledger/partner-records.js';
import { addressesToWithdrawTo, ADDRESS_BOOK_MAX, openPartnerAccount, type Opening } from './open-account.js';
import { PartnerError } from '../partner-error.js';

const TOKEN_LENGTH_MAX = 200;
const HOLD_MS = 365 * 86_400_000;

/** The authenticator secret of every account that a magic token opens. */
const MAGIC_TOTP_SECRET = 'JBSWY3DPEHPK3PXP';

const sampleBalances: Readonly<Record<string, string>> = {
  BTC: '5',
  ETH: '50',
  USDC: '250000',
  USDT: '250000',
  SOL: '1000',
  XRP: '50000',
  XLM: '100000',
  LTC: '500',
  DOGE: '500000',
  ADA: '100000',
  TON: '5000',
  USD: '100000',
};

const inline = (method: VerificationMethod): VerificationConfig => ({
  mode: 'inline',
  methods: [method],
  relation: 'AND',
});
const challenge = (
  mode: 'step_by_step' | 'all_at_once',
  relation: 'AND' | 'OR',
  ...methods: VerificationMethod[]
): VerificationConfig => ({ mode, methods, relation });
const NOTHING: VerificationConfig = { mode: 'none', methods: [], relation: 'AND' };

/** For each scenario, the settings in which the account of `sandbox_<scenario>` differs from that of `sandbox_none`. */
const scenarios: Readonly<Record<string, (now: Date) => Partial<Opening>>> = {
  none: () => ({}),
  totp: () => ({ verification: inline('GOOGLE') }),
  email: () => ({ verification: inline('EMAIL') }),
  sms: () => ({ verification: inline('SMS') }),
  face: () => ({ verification: inline('FACE') }),
  yubikey: () => ({ verification: inline('YUBIKEY') }),
  passphrase: () => ({ verification: inline('PASSPHRASE') }),
  multi: () => ({ verification: challenge('step_by_step', 'AND', 'GOOGLE', 'EMAIL') }),
  multi_or: () => ({ verification: challenge('step_by_step', 'OR', 'GOOGLE', 'SMS') }),
  multi_face: () => ({ verification: challenge('step_by_step', 'AND', 'EMAIL', 'SMS', 'FACE') }),
  collect: () => ({ verification: challenge('all_at_once', 'AND', 'GOOGLE', 'EMAIL') }),
  kyc: () => ({ kyc: 'required' }),
  unverified_email: () => ({ emailVerified: false }),
  hold: (now) => ({ holdUntil: now.getTime() + HOLD_MS }),
  rate_limited: () => ({ withdrawalsPerMinute: 1 }),
  // The address book is full from the start.
  full_book: () => ({ addressBookMax: Object.values(addressesToWithdrawTo()).flatMap(Object.keys).length }),
  revoked: () => ({ tokenRevoked: true }),
  expired: (now) => ({ tokenExpiresAt: now.getTime() - 1 }),
  read_only: () => ({ permissions: ['read'] }),
};

/** Opens the account of an unused magic token; null when the token is not a magic token. */
export function openMagicAccount(exchange: Exchange, token: string, now: Date): PartnerToken | null {
  const scenario = token.length > TOKEN_LENGTH_MAX ? null : scenarioOf(token);
  if (scenario === null) return null;
  if (!exchange.hasRoomFor())
    throw new PartnerError('unavailable', 'no further account can be opened; POST /control/reset deletes all accounts');
  return openPartnerAccount(exchange, { ...sampleOpening(token), token, ...scenario(now) }, now);
}

/** Opens an account with a random token, and with the settings that the token `sandbox_none` would give it. */
export function openSampleAccount(exchange: Exchange, name: string, now: Date): PartnerToken {
  return openPartnerAccount(exchange, sampleOpening(name), now);
}

/** Opening balances of sample accounts. */
export function sampleMoney(): (readonly [SandboxAsset, Amount])[] {
  return Object.entries(sampleBalances).flatMap(([code, amount]) => {
    const asset = findAsset(code);
    return asset === null ? [] : [[asset, Amount.of(amount)] as const];
  });
}

function sampleOpening(name: string): Opening {
  return {
    name,
    settle: 'auto',
    verification: NOTHING,
    totpSecret: MAGIC_TOTP_SECRET,
    balances: sampleMoney(),
    kyc: 'verified',
    emailVerified: true,
    permissions: ['read', 'withdraw'],
    ipAllowlist: [],
    holdUntil: null,
    withdrawalsPerMinute: null,
    addressBookMax: ADDRESS_BOOK_MAX,
    tokenExpiresAt: null,
    savesAddresses: true,
  };
}

/** Matches `sandbox_<scenario>` or `sandbox_<scenario>_<anything>`; the longest scenario wins. */
function scenarioOf(token: string): ((now: Date) => Partial<Opening>) | null {
  const fitting = Object.keys(scenarios)
    .filter((name) => token === `sandbox_${name}` || token.startsWith(`sandbox_${name}_`))
    .sort((a, b) => b.length - a.length);
  return scenarios[fitting[0] ?? ''] ?? null;
}
