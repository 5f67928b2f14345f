/** Builders for the tests of every lib and app that needs a project with a key. */
import type { INestApplicationContext } from '@nestjs/common';
import { acrossProjects } from '#platform/database';
import { ACCESS_RULE, type AccessRule } from '../guard/access-rule.decorators.js';
import { CreateOrganization, CreateProject, IssueApiKey, scopes, type ProjectMode, type Scope } from '../index.js';

export interface CreateProjectOptions {
  mode?: ProjectMode;
  scopes?: readonly Scope[];
  /** Default: a new organization. */
  organizationId?: string;
  expiresAt?: Date;
  ipAllowlist?: readonly string[];
}

export interface TestProject {
  organizationId: string;
  projectId: string;
  apiKeyId: string;
  apiKey: string;
  /** The three credential headers of a request. */
  headers: Record<'x-svc-api-key' | 'x-svc-org-id' | 'x-svc-project-id', string>;
}

/** Creates a project with a key that has every scope, in an application with `AccessModule`. Default mode: test. */
export async function createProject(
  app: Pick<INestApplicationContext, 'get'>,
  options: CreateProjectOptions = {},
): Promise<TestProject> {
  const organizationId =
    options.organizationId ?? (await app.get(CreateOrganization, { strict: false }).execute({ name: 'Acme' })).id;
  const facts = { organizationId, name: 'Shop', mode: options.mode ?? 'test', actor: 'tests' };
  // A request of the administration creates a project in the same way.
  const project = await acrossProjects(() => app.get(CreateProject, { strict: false }).execute(facts));
  return await createApiKey(app, { organizationId, projectId: project.id }, options);
}

/** Issues one more key of a project. */
export async function createApiKey(
  app: Pick<INestApplicationContext, 'get'>,
  { organizationId, projectId }: Pick<TestProject, 'organizationId' | 'projectId'>,
  options: Pick<CreateProjectOptions, 'scopes' | 'expiresAt' | 'ipAllowlist'> = {},
): Promise<TestProject> {
  const facts = {
    projectId,
    name: 'tests',
    scopes: options.scopes ?? scopes,
    expiresAt: options.expiresAt,
    ipAllowlist: options.ipAllowlist,
    actor: 'tests',
  };
  const issued = await acrossProjects(() => app.get(IssueApiKey, { strict: false }).execute(facts));
  const apiKey = issued.key.reveal();
  return {
    organizationId,
    projectId,
    apiKeyId: issued.apiKey.id,
    apiKey,
    headers: { 'x-svc-api-key': apiKey, 'x-svc-org-id': organizationId, 'x-svc-project-id': projectId },
  };
}

/** The scopes that a key needs for a handler of a controller; null = the handler requires no key. */
export function requiredScopes(controller: { readonly prototype: object }, handler: string): readonly Scope[] | null {
  const method: unknown = Reflect.get(controller.prototype, handler);
  if (typeof method !== 'function') throw new Error(`the controller has no handler ${handler}`);
  const rule = Reflect.getMetadata(ACCESS_RULE, method) as AccessRule | undefined;
  return rule?.kind === 'key' ? rule.scopes : null;
}
