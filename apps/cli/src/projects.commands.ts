import { Option, type Command } from 'commander';
import {
  CreateProject,
  DeleteProject,
  Organizations,
  Projects,
  SuspendProject,
  type Project,
  type ProjectMode,
} from '#access';
import { ConnectProjects, SetConnectProject, type ConnectProject } from '#connect';
import { accessKinds, type AccessKind } from '#exchange';
import { InvalidRequest } from '#platform/errors';
import type { PageQuery } from '#platform/http';
import { addPageOptions, id } from './arguments.js';
import type { RunCommand } from './run-command.js';
import { time, type Columns } from './terminal.js';

const columns: Columns<Project> = {
  ID: (project) => project.id,
  NAME: (project) => project.name,
  MODE: (project) => project.mode,
  CREATED: (project) => time(project.createdAt),
  SUSPENDED: (project) => time(project.suspendedAt),
  DELETED: (project) => time(project.deletedAt),
};

/** The option value that clears a list. */
const NONE = 'none';
/** The option value that requests all access that the keys of the project can use. */
const DEFAULT = 'default';
/** The option value that allows every exchange. */
const ALL = 'all';

const connectColumns: Columns<ConnectProject> = {
  BROWSER_CONNECTS: ({ browserConnects }) => (browserConnects ? 'on' : 'off'),
  ORIGINS: ({ origins }) => origins.join(' '),
  RETURN_URLS: ({ returnUrls }) => returnUrls.join(' '),
  ACCESS: ({ connectAccess }) => connectAccess?.join(' ') ?? DEFAULT,
  EXCHANGES: ({ exchanges }) => exchanges?.join(' ') ?? ALL,
  DISPLAY_NAME: ({ displayName }) => displayName ?? '',
  COLOR: ({ color }) => color ?? '',
  LOGO: ({ logoUrl }) => logoUrl ?? '',
};

interface ConnectOptions {
  browserConnects?: 'on' | 'off';
  origin?: string[];
  returnUrl?: string[];
  access?: (AccessKind | typeof DEFAULT)[];
  exchange?: string[];
  displayName?: string;
  color?: string;
  logo?: string;
}

export function addProjectsCommands(program: Command, run: RunCommand): void {
  const projects = program.command('projects').description('projects, which own wallets and API keys');
  addConnectCommand(projects, run);
  addStopCommands(projects, run);

  projects
    .command('create')
    .description('create a project')
    .argument('<organization>', 'id of the organization', id)
    .argument('<name>', 'name for people')
    .addOption(
      new Option(
        '--mode <mode>',
        'test: all wallets are at the sandbox exchange; live: at real exchanges; the mode cannot be changed later',
      )
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

function addStopCommands(projects: Command, run: RunCommand): void {
  projects
    .command('suspend')
    .description('refuse all requests for a project and stop the work on its wallets; open withdrawals are settled')
    .argument('<project>', 'id of the project', id)
    .action((projectId: string) =>
      run(async ({ app, terminal, actor }) =>
        terminal.one(await app.get(SuspendProject).suspend(projectId, actor), columns),
      ),
    );

  projects
    .command('resume')
    .description('end the suspension of a project; the work on its wallets continues where it stopped')
    .argument('<project>', 'id of the project', id)
    .action((projectId: string) =>
      run(async ({ app, terminal, actor }) =>
        terminal.one(await app.get(SuspendProject).resume(projectId, actor), columns),
      ),
    );

  projects
    .command('delete')
    .description('delete a project for ever: revoke its keys and erase its credentials, balances and identities')
    .argument('<project>', 'id of the project', id)
    .requiredOption('--confirm <name>', 'the name of the project, because a deletion cannot be undone')
    .action((projectId: string, { confirm }: { confirm: string }) =>
      run(async ({ app, terminal, actor }) => {
        const { name } = await app.get(Projects).getDeletedToo(projectId);
        if (name !== confirm)
          throw new InvalidRequest(`The project is named '${name}': repeat the command with --confirm '${name}'`);
        terminal.one(await app.get(DeleteProject).execute(projectId, actor), columns);
      }),
    );
}

function addConnectCommand(projects: Command, run: RunCommand): void {
  projects
    .command('connect')
    .description('show or change what a project allows browsers to do; options that are left out keep their value')
    .argument('<project>', 'id of the project', id)
    .addOption(
      new Option(
        '--browser-connects <on|off>',
        'whether web pages of the project may start a connect session without an API key',
      ).choices(['on', 'off']),
    )
    .option(
      '--origin <origins...>',
      `origins of the web pages of the project, such as https://shop.example; ${NONE} = remove all`,
    )
    .option(
      '--return-url <urls...>',
      `addresses to which the hosted page may send the owner back; ${NONE} = remove all`,
    )
    .addOption(
      new Option(
        '--access <kinds...>',
        `access that a connect session requests when the caller names none; ${DEFAULT} = all access that the keys of the project can use`,
      ).choices([...accessKinds, DEFAULT]),
    )
    .option('--exchange <ids...>', `exchanges at which owners may connect accounts; ${ALL} = every exchange`)
    .option('--display-name <name>', `name on the hosted page; ${NONE} = the name of the project`)
    .option('--color <#rrggbb>', `colour of buttons and links on the hosted page; ${NONE} = the default colour`)
    .option('--logo <url>', `https address of the logo on the hosted page; ${NONE} = no logo`)
    .action((projectId: string, options: ConnectOptions) =>
      run(async ({ app, terminal, actor }) => {
        const project = await app.get(Projects).get(projectId);
        const isChange = Object.keys(options).length > 0;
        const settings = isChange
          ? await app.get(SetConnectProject).execute(projectId, changesOf(options), actor)
          : await app.get(ConnectProjects).get(project);
        terminal.one(settings, connectColumns);
      }),
    );
}

function changesOf(options: ConnectOptions): Partial<ConnectProject> {
  const { browserConnects, origin, returnUrl, access, exchange, displayName, color, logo } = options;
  const listOf = (given: string[]): string[] => given.filter((text) => text !== NONE);
  const textOf = (given: string): string | null => (given === NONE ? null : given);
  return {
    ...(browserConnects && { browserConnects: browserConnects === 'on' }),
    ...(origin && { origins: listOf(origin) }),
    ...(returnUrl && { returnUrls: listOf(returnUrl) }),
    ...(access && { connectAccess: accessOf(access) }),
    ...(exchange && { exchanges: exchange.includes(ALL) ? null : exchange }),
    ...(displayName !== undefined && { displayName: textOf(displayName) }),
    ...(color !== undefined && { color: textOf(color) }),
    ...(logo !== undefined && { logoUrl: textOf(logo) }),
  };
}

function accessOf(given: readonly (AccessKind | typeof DEFAULT)[]): AccessKind[] | null {
  return given.includes(DEFAULT) ? null : accessKinds.filter((kind) => given.includes(kind));
}
