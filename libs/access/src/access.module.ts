import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiKeyHasher } from './api-key-hasher.js';
import { ApiKeyLookup } from './api-key-lookup.js';
import { ApiKeyMint } from './api-key-mint.js';
import { ApiKey } from './api-key.entity.js';
import { ApiKeys } from './api-keys.service.js';
import { Audit } from './audit/audit.js';
import { VerifyAudit } from './audit/verify-audit.js';
import { CreateOrganization } from './create-organization.js';
import { CreateProject } from './create-project.js';
import { IssueApiKey } from './issue-api-key.js';
import { Organization } from './organization.entity.js';
import { Organizations } from './organizations.service.js';
import { Project } from './project.entity.js';
import { Projects } from './projects.service.js';
import { RevokeApiKey } from './revoke-api-key.js';
import { RotateApiKey } from './rotate-api-key.js';

const publicFace = [
  ApiKeys,
  Audit,
  CreateOrganization,
  CreateProject,
  IssueApiKey,
  Organizations,
  Projects,
  RevokeApiKey,
  RotateApiKey,
  VerifyAudit,
];

/** Entities and use cases. Needs `Config`, `Database` and `Clock`, and API_KEY_PEPPER in the configuration. */
@Module({
  imports: [TypeOrmModule.forFeature([Organization, Project, ApiKey])],
  providers: [ApiKeyHasher, ApiKeyLookup, ApiKeyMint, ...publicFace],
  exports: [ApiKeyHasher, ApiKeyLookup, ...publicFace],
})
export class AccessModule {}
