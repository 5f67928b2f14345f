import type { ProjectIdentity } from '#access';
import type { AccountIdentity } from '#exchange';
import type { SealContext, SealedRecord, Vault } from '#platform/crypto';

/**
 * The wallet and project that a sealed identity belongs to. The identity cannot be opened for any other wallet, not
 * even for a later wallet with the same external id.
 */
export interface IdentityOwner {
  project: Pick<ProjectIdentity, 'id' | 'organizationId'>;
  /** Our id of the wallet (`Wallet.id`). */
  walletId: string;
}

export function sealIdentity(vault: Vault, owner: IdentityOwner, identity: AccountIdentity): SealedRecord {
  const { fullName, email, iban, country } = identity;
  return vault.seal(JSON.stringify({ fullName, email, iban, country }), contextOf(owner));
}

/** @throws CannotOpen when the record belongs to another wallet, was altered, or its key is missing. */
export function openIdentity(vault: Vault, owner: IdentityOwner, sealed: SealedRecord): AccountIdentity {
  return JSON.parse(vault.open(sealed, contextOf(owner))) as AccountIdentity;
}

function contextOf({ project, walletId }: IdentityOwner): SealContext {
  return { organizationId: project.organizationId, projectId: project.id, walletId, field: 'identity' };
}
