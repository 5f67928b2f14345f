/**
 * platform/health: whether this process can do its work.
 *
 * Owns: the checks behind `/livez` and `/readyz`, the comparison of the vault's keys with stored records, and the
 * periodic comparison of the host's clock with the database's.
 * Never does: call an exchange, because this process works when an exchange is down.
 */
export { CheckVaultKeys } from './check-vault-keys.js';
export { Health } from './health.service.js';
export { HealthModule } from './health.module.js';
export { LivenessResponse, ReadinessResponse } from './health.dto.js';
