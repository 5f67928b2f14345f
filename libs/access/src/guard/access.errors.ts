import { DomainError } from '#platform/errors';
import type { Scope } from '../keys/scopes.js';

/** The API key is valid but lacks scopes that the route requires. */
export class InsufficientPermissions extends DomainError {
  constructor(missing: Scope[]) {
    super('APIKEY_INSUFFICIENT_PERMISSIONS', `The API key lacks these scopes: ${missing.join(', ')}`, { missing });
  }
}

/** An operator has suspended the project. Its data and open withdrawals stay as they are until it is resumed. */
export class ProjectSuspended extends DomainError {
  constructor() {
    super('GENERIC_INVALID_REQUEST', 'This project is suspended: ask the operator of this service to resume it', {
      status: 403,
      result: { reason: 'suspended' },
    });
  }
}
