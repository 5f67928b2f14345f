import type { Command } from 'commander';
import { CreateOrganization, Organizations, type Organization } from '#access';
import type { PageQuery } from '#platform/http';
import { addPageOptions } from './arguments.js';
import type { RunCommand } from './run-command.js';
import { time, type Columns } from './terminal.js';

const columns: Columns<Organization> = {
  ID: (organization) => organization.id,
  NAME: (organization) => organization.name,
  CREATED: (organization) => time(organization.createdAt),
};

export function addOrgsCommands(program: Command, run: RunCommand): void {
  const orgs = program.command('orgs').description('organizations, which own projects');

  orgs
    .command('create')
    .description('create an organization')
    .argument('<name>', 'name for people')
    .action((name: string) =>
      run(async ({ app, terminal }) => terminal.one(await app.get(CreateOrganization).execute({ name }), columns)),
    );

  addPageOptions(orgs.command('list').description('list organizations, newest first')).action((page: PageQuery) =>
    run(async ({ app, terminal }) => terminal.list((await app.get(Organizations).list(page)).organizations, columns)),
  );
}
