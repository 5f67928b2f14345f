import { DomainError } from '#platform/errors';
import type { Scope } from '../keys/scopes.js';

/** The key is valid but lacks scopes of the endpoint. */
export class InsufficientPermissions extends DomainError {
  constructor(missing: Scope[]) {
    super('APIKEY_INSUFFICIENT_PERMISSIONS', `The API key lacks permissions: ${missing.join(', ')}`, {
      details: { missing },
    });
  }
}
