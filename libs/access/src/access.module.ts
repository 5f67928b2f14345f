import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiKeyHasher } from './keys/api-key-hasher.js';
import { ApiKeyLookup } from './keys/api-key-lookup.js';
import { ApiKeyMint } from './keys/api-key-mint.js';
import { ApiKey } from './keys/api-key.entity.js';
import { ApiKeys } from './keys/api-keys.service.js';
import { Audit } from './audit/audit.js';
import { VerifyAudit } from './audit/verify-audit.js';
import { CreateOrganization } from './projects/create-organization.js';
import { CreateProject } from './projects/create-project.js';
import { DeleteProject } from './stopping/delete-project.js';
import { IdempotentResponses } from './idempotency/idempotent-responses.js';
import { IssueApiKey } from './keys/issue-api-key.js';
import { Organization } from './projects/organization.entity.js';
import { Organizations } from './projects/organizations.service.js';
import { Project } from './projects/project.entity.js';
import { Projects } from './projects/projects.service.js';
import { SuspendProject } from './stopping/suspend-project.js';
import { RevokeApiKey } from './keys/revoke-api-key.js';
import { RotateApiKey } from './keys/rotate-api-key.js';

const publicFace = [
  ApiKeys,
  Audit,
  CreateOrganization,
  CreateProject,
  DeleteProject,
  IssueApiKey,
  Organizations,
  Projects,
  RevokeApiKey,
  RotateApiKey,
  SuspendProject,
  VerifyAudit,
];

/**
 * Entities and use cases of access. The module needs `Config`, `Database` and `Clock`, and API_KEY_PEPPER in the
 * configuration.
 */
@Module({
  imports: [TypeOrmModule.forFeature([Organization, Project, ApiKey])],
  providers: [ApiKeyHasher, ApiKeyLookup, ApiKeyMint, IdempotentResponses, ...publicFace],
  exports: [ApiKeyHasher, ApiKeyLookup, IdempotentResponses, ...publicFace],
})
export class AccessModule {}
