import type { ProjectIdentity } from '#access';
import type { CredentialField, ExchangeCredentials } from '#exchange';
import { CannotOpen, Secret, type SealContext, type SealedRecord, type Vault } from '#platform/crypto';

/** The column `wallet_credentials.sealed`. */
export interface SealedCredentials {
  /** New with every replacement: what is proven about one set of credentials holds for no other. */
  id: string;
  /** New with every renewal of an access token, which leaves the account and so `id` as they are; absent before the first. */
  revision?: string;
  fields: Partial<Record<CredentialField, SealedRecord>>;
}

/** What sealed credentials are bound to: they open for no other wallet, not even one of the same walletId later on. */
export interface CredentialOwner {
  project: Pick<ProjectIdentity, 'id' | 'organizationId'>;
  /** `Wallet.id`. */
  walletId: string;
}

const FIELDS: readonly CredentialField[] = ['apiKey', 'apiSecret', 'apiPassphrase', 'apiUid'];

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

/** @throws CannotOpen when they were sealed for another wallet or altered, or their key is gone. */
export function openCredentials(
  vault: Vault,
  owner: CredentialOwner,
  { fields }: SealedCredentials,
): ExchangeCredentials {
  const open = (field: CredentialField, record: SealedRecord): Secret =>
    new Secret(vault.open(record, contextOf(owner, field)));
  const { apiKey, apiSecret, apiPassphrase, apiUid } = fields;
  if (apiKey === undefined) throw new Error('sealed credentials lack the key');
  return {
    apiKey: open('apiKey', apiKey),
    apiSecret: apiSecret && open('apiSecret', apiSecret),
    apiPassphrase: apiPassphrase && open('apiPassphrase', apiPassphrase),
    apiUid: apiUid && open('apiUid', apiUid),
  };
}

/** Whether these very credentials are what is sealed; what does not open is something else. */
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

function contextOf({ project, walletId }: CredentialOwner, field: CredentialField): SealContext {
  return { organizationId: project.organizationId, projectId: project.id, walletId, field };
}
