import { Secret, type SealContext, type SealedRecord, type Vault } from '#platform/crypto';
import type { CredentialOwner } from '../credentials/sealed-credentials.js';

/** Returns the value of the column `wallet_grants.sealed`. */
export function sealRefreshToken(vault: Vault, owner: CredentialOwner, refreshToken: Secret): string {
  return JSON.stringify(vault.seal(refreshToken.reveal(), contextOf(owner)));
}

/** @throws CannotOpen when the token was sealed for another wallet or altered, or when its key is missing. */
export function openRefreshToken(vault: Vault, owner: CredentialOwner, sealed: SealedRecord): Secret {
  return new Secret(vault.open(sealed, contextOf(owner)));
}

function contextOf({ project, walletId }: CredentialOwner): SealContext {
  return {
    organizationId: project.organizationId,
    projectId: project.id,
    walletId,
    field: 'refreshToken',
  };
}
