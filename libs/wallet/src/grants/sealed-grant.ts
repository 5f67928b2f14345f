import { Secret, type SealedRecord, type Vault } from '#platform/crypto';
import { contextOf, type CredentialOwner } from '../credentials/sealed-credentials.js';

/** Returns the value of the column `wallet_grants.sealed`. */
export function sealRefreshToken(vault: Vault, owner: CredentialOwner, refreshToken: Secret): string {
  return JSON.stringify(vault.seal(refreshToken.reveal(), contextOf(owner, 'refreshToken')));
}

/** @throws CannotOpen when the token was sealed for another wallet or altered, or when its key is missing. */
export function openRefreshToken(vault: Vault, owner: CredentialOwner, sealed: SealedRecord): Secret {
  return new Secret(vault.open(sealed, contextOf(owner, 'refreshToken')));
}
