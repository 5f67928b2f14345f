import { currentLoad, runWithLoad } from '#platform/load';

/**
 * The project of the setting with which a statement reads the rows of all projects. No project has this id, because it
 * is no UUIDv7.
 */
export const EVERY_PROJECT = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * Returns the project whose rows the statements of the current work may read and write; null = there is none.
 * PostgreSQL then refuses the API every row of a project.
 */
export function currentProject(): string | null {
  return currentLoad()?.projectId ?? null;
}

/** Lets the rest of the current request act for a project. The caller has verified that the request may do so. */
export function actFor(projectId: string): void {
  const load = currentLoad();
  if (load !== null) load.projectId = projectId;
}

/** Runs `work` for a project. Its statements, also those of its transactions, see no other rows. */
export function runForProject<T>(projectId: string, work: () => Promise<T>): Promise<T> {
  return runWithLoad({ ...currentLoad(), projectId }, work);
}

/**
 * Runs `work`, whose statements read the rows of all projects. Call it only around one statement that has to look at
 * other projects: `apps/api/test/schema/across-projects.spec.ts` lists every such place with its reason.
 */
export function acrossProjects<T>(work: () => Promise<T>): Promise<T> {
  return runForProject(EVERY_PROJECT, work);
}
