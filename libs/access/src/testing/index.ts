/** Builders for the tests of every lib and app that needs a project with a key. */
import type { INestApplicationContext } from '@nestjs/common';
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
  const project = await app
    .get(CreateProject, { strict: false })
    .execute({ organizationId, name: 'Shop', mode: options.mode ?? 'test', actor: 'tests' });
  return await createApiKey(app, { organizationId, projectId: project.id }, options);
}

/** Issues one more key of a project. */
export async function createApiKey(
  app: Pick<INestApplicationContext, 'get'>,
  { organizationId, projectId }: Pick<TestProject, 'organizationId' | 'projectId'>,
  options: Pick<CreateProjectOptions, 'scopes' | 'expiresAt' | 'ipAllowlist'> = {},
): Promise<TestProject> {
  const issued = await app.get(IssueApiKey, { strict: false }).execute({
    projectId,
    name: 'tests',
    scopes: options.scopes ?? scopes,
    expiresAt: options.expiresAt,
    ipAllowlist: options.ipAllowlist,
    actor: 'tests',
  });
  const apiKey = issued.key.reveal();
  return {
    organizationId,
    projectId,
    apiKeyId: issued.apiKey.id,
    apiKey,
    headers: { 'x-svc-api-key': apiKey, 'x-svc-org-id': organizationId, 'x-svc-project-id': projectId },
  };
}
