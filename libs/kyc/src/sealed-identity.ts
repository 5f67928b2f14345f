import type { ProjectIdentity } from '#access';
import type { AccountIdentity } from '#exchange';
import type { SealContext, SealedRecord, Vault } from '#platform/crypto';

/** What a sealed identity is bound to: it opens for no other wallet, not even one of the same walletId later on. */
export interface IdentityOwner {
  project: Pick<ProjectIdentity, 'id' | 'organizationId'>;
  /** `Wallet.id`. */
  walletUuid: string;
}

export function sealIdentity(vault: Vault, owner: IdentityOwner, identity: AccountIdentity): SealedRecord {
  const { fullName, email, iban, country } = identity;
  return vault.seal(JSON.stringify({ fullName, email, iban, country }), contextOf(owner));
}

/** @throws CannotOpen when it was sealed for another wallet or altered, or its key is gone. */
export function openIdentity(vault: Vault, owner: IdentityOwner, sealed: SealedRecord): AccountIdentity {
  return JSON.parse(vault.open(sealed, contextOf(owner))) as AccountIdentity;
}

function contextOf({ project, walletUuid }: IdentityOwner): SealContext {
  return { organizationId: project.organizationId, projectId: project.id, walletId: walletUuid, field: 'identity' };
}
