import type { Scope } from '../keys/scopes.js';
import type { ProjectIdentity } from '../projects/project-identity.js';

/** The project that a request acts for. Only the access guard creates it, from an API key that it has verified. */
export interface ProjectContext extends ProjectIdentity {
  apiKeyId: string;
  scopes: readonly Scope[];
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the access guard on routes that require an API key, and on no other. */
    project?: ProjectContext;
  }
}
