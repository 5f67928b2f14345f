import type { ProjectIdentity } from '../projects/project-identity.js';

/** What a page in a browser says of itself; only the origin is the browser's own word, and other programs say anything. */
export interface KeylessClient {
  organizationId: string;
  projectId: string;
  /** As sent: `https://shop.example`. */
  origin: string;
}

/** Lets pages in that cannot keep an API key. */
export abstract class KeylessClientGuard {
  /** The project that lets this page in; null = none does, for whatever reason. */
  abstract admit(client: KeylessClient): Promise<ProjectIdentity | null>;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the access guard on routes for visitors, when there was no API key. */
    keylessClient?: { project: ProjectIdentity; origin: string };
  }
}
