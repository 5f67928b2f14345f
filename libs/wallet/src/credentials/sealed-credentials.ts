import type { ProjectIdentity } from '#access';
import type { CredentialField, ExchangeCredentials } from '#exchange';
import { CannotOpen, Secret, type SealContext, type SealedRecord, type Vault } from '#platform/crypto';

/** The column `wallet_credentials.sealed`. */
export interface SealedCredentials {
  /**
   * The version of the credentials. Each replacement gets a new version. What an exchange has answered about one
   * version proves nothing about another version.
   */
  id: string;
  /**
   * Changes with each renewal of an access token; absent before the first renewal. A renewal keeps `id`, because the
   * account stays the same.
   */
  revision?: string;
  fields: Partial<Record<CredentialField, SealedRecord>>;
}

/**
 * The wallet that sealed credentials are bound to. The credentials open for no other wallet, not even for a later
 * wallet to which the caller gives the same id.
 */
export interface CredentialOwner {
  project: Pick<ProjectIdentity, 'id' | 'organizationId'>;
  /** Our id of the wallet (`Wallet.id`). */
  walletId: string;
}

const FIELDS: readonly CredentialField[] = ['apiKey', 'apiSecret', 'apiPassphrase', 'apiUid', 'apiRegion'];

export function sealCredentials(
  vault: Vault,
  owner: CredentialOwner,
  credentials: ExchangeCredentials,
  identity: Pick<SealedCredentials, 'id' | 'revision'>,
): SealedCredentials {
  const sealed: SealedCredentials = { ...identity, fields: {} };
  for (const field of FIELDS) {
    const secret = credentials[field];
    if (secret !== undefined) sealed.fields[field] = vault.seal(secret.reveal(), contextOf(owner, field));
  }
  return sealed;
}

/** @throws CannotOpen when the credentials were sealed for another wallet or altered, or when their key is missing. */
export function openCredentials(
  vault: Vault,
  owner: CredentialOwner,
  { fields }: SealedCredentials,
): ExchangeCredentials {
  const open = (field: CredentialField, record: SealedRecord): Secret =>
    new Secret(vault.open(record, contextOf(owner, field)));
  const { apiKey, apiSecret, apiPassphrase, apiUid, apiRegion } = fields;
  if (apiKey === undefined) throw new Error('the sealed credentials have no API key');
  return {
    apiKey: open('apiKey', apiKey),
    apiSecret: apiSecret && open('apiSecret', apiSecret),
    apiPassphrase: apiPassphrase && open('apiPassphrase', apiPassphrase),
    apiUid: apiUid && open('apiUid', apiUid),
    apiRegion: apiRegion && open('apiRegion', apiRegion),
  };
}

/** Whether `sealed` contains exactly these credentials. Returns false also when `sealed` cannot be opened. */
export function areSealed(
  vault: Vault,
  owner: CredentialOwner,
  sealed: SealedCredentials,
  credentials: ExchangeCredentials,
): boolean {
  try {
    const known = openCredentials(vault, owner, sealed);
    return FIELDS.every((field) => known[field]?.reveal() === credentials[field]?.reveal());
  } catch (error) {
    if (error instanceof CannotOpen) return false;
    throw error;
  }
}

/** Returns the context to which the vault binds a sealed field of a wallet. */
export function contextOf(
  { project, walletId }: CredentialOwner,
  field: CredentialField | 'refreshToken',
): SealContext {
  return { organizationId: project.organizationId, projectId: project.id, walletId, field };
}
