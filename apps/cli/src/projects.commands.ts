import { Option, type Command } from 'commander';
import { CreateProject, Organizations, Projects, type Project, type ProjectMode } from '#access';
import type { PageQuery } from '#platform/http';
import { addPageOptions, id } from './arguments.js';
import type { RunCommand } from './run-command.js';
import { time, type Columns } from './terminal.js';

const columns: Columns<Project> = {
  ID: (project) => project.id,
  NAME: (project) => project.name,
  MODE: (project) => project.mode,
  CREATED: (project) => time(project.createdAt),
  DELETED: (project) => time(project.deletedAt),
};

export function addProjectsCommands(program: Command, run: RunCommand): void {
  const projects = program.command('projects').description('projects, to which wallets and API keys belong');

  projects
    .command('create')
    .description('create a project')
    .argument('<organization>', 'id of the organization', id)
    .argument('<name>', 'name for people')
    .addOption(
      new Option('--mode <mode>', 'where its wallets live: sandbox exchange or real exchanges; for good')
        .choices(['test', 'live'])
        .makeOptionMandatory(),
    )
    .action((organizationId: string, name: string, { mode }: { mode: ProjectMode }) =>
      run(async ({ app, terminal, actor }) =>
        terminal.one(await app.get(CreateProject).execute({ organizationId, name, mode, actor }), columns),
      ),
    );

  addPageOptions(
    projects
      .command('list')
      .description('list the projects of an organization, newest first')
      .argument('<organization>', 'id of the organization', id),
  ).action((organizationId: string, page: PageQuery) =>
    run(async ({ app, terminal }) => {
      const organization = await app.get(Organizations).get(organizationId);
      terminal.list((await app.get(Projects).list(organization.id, page)).projects, columns);
    }),
  );
}
