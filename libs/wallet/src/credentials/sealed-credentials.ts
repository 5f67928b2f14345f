import type { ProjectIdentity } from '#access';
import type { CredentialField, ExchangeCredentials } from '#exchange';
import { CannotOpen, Secret, type SealContext, type Sealer, type SealedRecord, type Vault } from '#platform/crypto';

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
  /**
   * Number of the write, from `wallets.credentials_sequence`. The credentials open only while the wallet has the same
   * number, so that earlier ones cannot be put back.
   */
  sequence: number;
  fields: Partial<Record<CredentialField, SealedRecord>>;
}

/** One write of a wallet's credentials. */
export type CredentialWrite = Pick<SealedCredentials, 'id' | 'sequence'>;

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
  sealer: Sealer,
  owner: CredentialOwner,
  credentials: ExchangeCredentials,
  write: Omit<SealedCredentials, 'fields'>,
): SealedCredentials {
  const sealed: SealedCredentials = { ...write, fields: {} };
  for (const field of FIELDS) {
    const secret = credentials[field];
    if (secret !== undefined) sealed.fields[field] = sealer.seal(secret.reveal(), contextOf(owner, field, write));
  }
  return sealed;
}

/**
 * @param write the version and the number of the write that the caller expects.
 * @throws CannotOpen when the credentials were sealed for another wallet or altered, or when their key is missing.
 * @throws NotCurrent when they are of another write than the expected one.
 * @throws KeysUnavailable
 */
export async function openCredentials(
  vault: Vault,
  owner: CredentialOwner,
  { fields }: SealedCredentials,
  write: CredentialWrite,
): Promise<ExchangeCredentials> {
  const open = async (field: CredentialField, record: SealedRecord): Promise<Secret> =>
    new Secret(await vault.open(record, contextOf(owner, field, write)));
  const opened = async (field: CredentialField): Promise<Secret | undefined> => {
    const record = fields[field];
    return record && (await open(field, record));
  };
  if (fields.apiKey === undefined) throw new Error('the sealed credentials have no API key');
  const [apiKey, apiSecret, apiPassphrase, apiUid, apiRegion] = await Promise.all([
    open('apiKey', fields.apiKey),
    opened('apiSecret'),
    opened('apiPassphrase'),
    opened('apiUid'),
    opened('apiRegion'),
  ]);
  return { apiKey, apiSecret, apiPassphrase, apiUid, apiRegion };
}

/** Seals credentials again with the primary key. @throws CannotOpen, KeysUnavailable */
export async function resealCredentials(
  vault: Vault,
  owner: CredentialOwner,
  old: SealedCredentials,
): Promise<SealedCredentials> {
  const sealer = await vault.sealer(owner.project);
  const fields: SealedCredentials['fields'] = {};
  for (const field of FIELDS) {
    const record = old.fields[field];
    if (record !== undefined) fields[field] = await vault.reseal(record, contextOf(owner, field, old), sealer);
  }
  return { ...old, fields };
}

/** Whether `sealed` contains exactly these credentials. Returns false also when `sealed` cannot be opened. */
export async function areSealed(
  vault: Vault,
  owner: CredentialOwner,
  { sealed, sequence }: { sealed: SealedCredentials; sequence: number },
  credentials: ExchangeCredentials,
): Promise<boolean> {
  try {
    const known = await openCredentials(vault, owner, sealed, { id: sealed.id, sequence });
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
  { id: version, sequence }: CredentialWrite,
): SealContext {
  return { organizationId: project.organizationId, projectId: project.id, walletId, field, version, sequence };
}
