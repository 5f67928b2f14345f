export const projectModes = ['test', 'live'] as const;

/** Wallets of a `test` project are at the sandbox exchange; wallets of a `live` project are at real exchanges only. */
export type ProjectMode = (typeof projectModes)[number];

/** The facts of a project that code without a request, such as a worker, needs. */
export interface ProjectIdentity {
  /** Every query of a feature is limited to this project. */
  id: string;
  organizationId: string;
  mode: ProjectMode;
}
