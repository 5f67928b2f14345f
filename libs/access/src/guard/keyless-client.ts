import type { ProjectIdentity } from '../projects/project-identity.js';

/**
 * The claims of a request without an API key. A browser sets the origin truthfully; any other program can send any
 * origin.
 */
export interface KeylessClient {
  organizationId: string;
  projectId: string;
  /** The `Origin` header as sent, such as `https://shop.example`. */
  origin: string;
}

/** Decides whether a page, which cannot keep an API key, may call a route. */
export abstract class KeylessClientGuard {
  /**
   * The message when no project allows the page. It says how a project allows a page, and must not reveal which
   * projects exist.
   */
  abstract readonly refusal: string;

  /** Returns the project that allows this page; null = no project allows it. */
  abstract admit(client: KeylessClient): Promise<ProjectIdentity | null>;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the access guard on a keyless route when the request had no API key. */
    keylessClient?: { project: ProjectIdentity; origin: string };
  }
}
