/**
 * platform/health: whether this process can do its work.
 *
 * Owns: the checks behind `/livez` and `/readyz`, and the regular comparison of the host's clock with the database's. Never does: call an exchange (one that is down is no fault of ours).
 */
export { Health, READINESS_RETRY_SECONDS } from './health.service.js';
export { HealthModule } from './health.module.js';
export { LivenessResponse, ReadinessResponse } from './health.dto.js';
