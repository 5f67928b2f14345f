import { Injectable } from '@nestjs/common';
import { Clock } from '#platform/clock';
import { Database } from '#platform/database';
import { requireName } from './name-rule.js';
import { Organization } from './organization.entity.js';

@Injectable()
export class CreateOrganization {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
  ) {}

  /** @throws ValidationFailed when the name is not 1 to 200 printable characters. */
  async execute({ name }: { name: string }): Promise<Organization> {
    requireName(name);
    const organizations = this.db.repository(Organization);
    const organization = organizations.create({ id: this.clock.newId(), name, createdAt: this.clock.now() });
    await organizations.insert(organization);
    return organization;
  }
}
