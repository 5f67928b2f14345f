import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import type { Amount } from '#money';
import { allowsWithdrawals, findAsset, methods, type SandboxAsset } from '../../catalogue.js';
import { openingPostings, type Exchange } from '../../exchange.js';
import type {
  PartnerPermission,
  PartnerProfile,
  PartnerToken,
  VerificationConfig,
} from '../../ledger/partner-records.js';
import type { Account, SavedAddress } from '../../ledger/records.js';
import { newTotpSecret } from '../../totp.js';
import { bookKey, networkIdOf } from '../networks.js';

/** Maximum number of entries of an address book. */
export const ADDRESS_BOOK_MAX = 1000;

/** Settings of a new account of the partner API. Balances are by asset; times are epoch milliseconds. */
export interface Opening {
  name: string;
  token?: string | undefined;
  balances: readonly (readonly [SandboxAsset, Amount])[];
  settle: Account['settle'];
  verification: VerificationConfig;
  /** The secret of the account's authenticator; the default is a new one. */
  totpSecret?: string;
  kyc: PartnerProfile['kyc'];
  emailVerified: boolean;
  permissions: PartnerPermission[];
  ipAllowlist: string[];
  holdUntil: number | null;
  withdrawalsPerMinute: number | null;
  addressBookMax: number;
  tokenExpiresAt: number | null;
  tokenRevoked?: boolean;
  /** Whether the sample addresses are in the address book. */
  savesAddresses?: boolean;
}

export function openPartnerAccount(exchange: Exchange, opening: Opening, now: Date): PartnerToken {
  const id = randomUUID();
  const { name, settle, verification, kyc, emailVerified, holdUntil, withdrawalsPerMinute, addressBookMax } = opening;
  const account: Account = { id, name, settle, createdAt: now.getTime() };
  const hasAuthenticator = verification.mode !== 'none' && verification.methods.includes('GOOGLE');
  const profile: PartnerProfile = {
    accountId: id,
    email: `${id.slice(0, 8)}@customer.example`,
    emailVerified,
    // A telephone number that is reserved for examples.
    phone: `+1 202 555 01${String(randomInt(100)).padStart(2, '0')}`,
    kyc,
    verification,
    holdUntil,
    withdrawalsPerMinute,
    addressBookMax,
    face: null,
    totpSecret: hasAuthenticator ? (opening.totpSecret ?? newTotpSecret()) : null,
  };
  const token: PartnerToken = {
    token: opening.token ?? `partner_${randomBytes(24).toString('hex')}`,
    accountId: id,
    permissions: opening.permissions,
    ipAllowlist: opening.ipAllowlist,
    revoked: opening.tokenRevoked ?? false,
    createdAt: now.getTime(),
    expiresAt: opening.tokenExpiresAt,
    lastUsedAt: null,
  };
  const postings = openingPostings(opening.balances);
  const savedAddresses = opening.savesAddresses === true ? sampleBook(id) : [];
  exchange.commit({ account, profile, token, savedAddresses }, { account, now, postings });
  return token;
}

interface Sample {
  asset: SandboxAsset;
  method: string;
  network: string;
  networkId: string;
  address: string;
}

/**
 * One withdrawal address for each network. It is the last sample, because the first ones serve as deposit addresses.
 */
function samples(): Sample[] {
  return methods.flatMap(({ assetCode, method, network, sampleAddresses }) => {
    const asset = findAsset(assetCode);
    const address = sampleAddresses.at(-1);
    if (asset === null || address === undefined || !allowsWithdrawals(asset)) return [];
    return [{ asset, method, network, networkId: networkIdOf(network), address }];
  });
}

/** Returns the addresses by asset and network id: `{BTC: {bitcoin: "bc1…"}}`. */
export function addressesToWithdrawTo(): Record<string, Record<string, string>> {
  const byAsset: Record<string, Record<string, string>> = {};
  for (const { asset, networkId, address } of samples()) (byAsset[asset.code] ??= {})[networkId] = address;
  return byAsset;
}

function sampleBook(accountId: string): SavedAddress[] {
  return samples().map(({ asset, method, network, networkId, address }) => ({
    accountId,
    asset: asset.id,
    method,
    network,
    address,
    memo: null,
    verified: true,
    key: bookKey({ asset, networkId, address, tag: null }),
  }));
}
