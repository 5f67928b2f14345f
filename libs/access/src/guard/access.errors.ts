import { DomainError } from '#platform/errors';
import type { Scope } from '../keys/scopes.js';

/** The API key is valid but lacks scopes that the route requires. */
export class InsufficientPermissions extends DomainError {
  constructor(missing: Scope[]) {
    super('APIKEY_INSUFFICIENT_PERMISSIONS', `The API key lacks these scopes: ${missing.join(', ')}`, { missing });
  }
}
