export const projectModes = ['test', 'live'] as const;

/** Wallets of a `test` project are at the sandbox exchange; wallets of a `live` project are at real exchanges only. */
export type ProjectMode = (typeof projectModes)[number];

/** A project without a request, as workers use it. */
export interface ProjectIdentity {
  /** Every query of a feature is scoped by it. */
  id: string;
  organizationId: string;
  mode: ProjectMode;
}
