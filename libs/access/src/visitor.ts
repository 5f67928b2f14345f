import type { ProjectIdentity } from './project-context.js';

/** What a page in a browser says of itself; only the origin is the browser's own word, and other programs say anything. */
export interface Visitor {
  organizationId: string;
  projectId: string;
  /** As sent: `https://shop.example`. */
  origin: string;
}

/** Lets pages in that cannot keep an API key. */
export abstract class VisitorDoor {
  /** The project that lets this page in; null = none does, for whatever reason. */
  abstract admit(visitor: Visitor): Promise<ProjectIdentity | null>;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the access guard on routes for visitors, when there was no API key. */
    visitor?: { project: ProjectIdentity; origin: string };
  }
}
