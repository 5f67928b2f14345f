/**
 * access: organizations, their projects, and the API keys that speak for a project.
 *
 * Owns: who a request is from and what it may do; issuing, rotating and revoking keys; request rates of a key.
 * Never does: know what a key is used for; keep or log a key (its keyed hash alone is stored, and it is shown once).
 * Invariants: a route without an access rule keeps the API from starting; whatever is wrong with credentials, the answer
 * is one and the same; credentials are checked before scopes, and scopes before parameters; a revoked key works nowhere
 * after API_KEY_CACHE_TTL_MS.
 */
export { AdminOnly, AnyKey, Public, RequireScope } from './access-rule.decorators.js';
export { InsufficientPermissions } from './access.errors.js';
export {
  ADMIN_SECURITY,
  API_KEY_HEADER,
  ORGANIZATION_HEADER,
  PROJECT_HEADER,
  WALLET_HEADER,
  accessErrors,
} from './credential-headers.js';
export type { ProjectContext, ProjectIdentity, ProjectMode } from './project-context.js';
export { CurrentProject, OptionalWalletHeader, WalletHeader } from './request.decorators.js';
export { scopes, type Scope } from './scopes.js';
export { OVERLAP_SECONDS_DEFAULT, OVERLAP_SECONDS_MAX } from './access-rules.js';
export { AccessModule } from './access.module.js';
export type { IssuedApiKey } from './api-key-mint.js';
export { ApiKey } from './api-key.entity.js';
export { ApiKeys } from './api-keys.service.js';
export { CreateOrganization } from './create-organization.js';
export { CreateProject } from './create-project.js';
export { IssueApiKey, type IssueApiKeyInput } from './issue-api-key.js';
export { Organization } from './organization.entity.js';
export { Organizations } from './organizations.service.js';
export { Project } from './project.entity.js';
export { Projects } from './projects.service.js';
export { RevokeApiKey } from './revoke-api-key.js';
export { RotateApiKey, type RotateApiKeyInput, type RotatedApiKey } from './rotate-api-key.js';
