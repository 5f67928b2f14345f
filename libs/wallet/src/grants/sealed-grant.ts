import { Secret, type Sealer, type SealedRecord, type Vault } from '#platform/crypto';
import { contextOf, type CredentialOwner, type CredentialWrite } from '../credentials/sealed-credentials.js';

/** Returns the value of the column `wallet_grants.sealed`. */
export function sealRefreshToken(
  sealer: Sealer,
  owner: CredentialOwner,
  refreshToken: Secret,
  write: CredentialWrite,
): string {
  return JSON.stringify(sealer.seal(refreshToken.reveal(), contextOf(owner, 'refreshToken', write)));
}

/**
 * @param write the write of the credentials that the token renews: both are written in one transaction.
 * @throws CannotOpen when the token was sealed for another wallet or altered, or when its key is missing.
 * @throws NotCurrent when the token is of another write.
 * @throws KeysUnavailable
 */
export async function openRefreshToken(
  vault: Vault,
  owner: CredentialOwner,
  sealed: SealedRecord,
  write: CredentialWrite,
): Promise<Secret> {
  return new Secret(await vault.open(sealed, contextOf(owner, 'refreshToken', write)));
}
