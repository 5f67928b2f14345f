import type { Scope } from './scopes.js';

export const projectModes = ['test', 'live'] as const;

/** Wallets of a `test` project live at the sandbox exchange, those of a `live` project never do. */
export type ProjectMode = (typeof projectModes)[number];

/** The project itself, without a request: what workers have. */
export interface ProjectIdentity {
  /** Every query of a feature is scoped by it. */
  id: string;
  organizationId: string;
  mode: ProjectMode;
}

/** On whose behalf a request is served. Only the access guard makes one, from a key that it has verified. */
export interface ProjectContext extends ProjectIdentity {
  apiKeyId: string;
  scopes: readonly Scope[];
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the access guard on routes that want an API key, and on no other. */
    project?: ProjectContext;
  }
}
