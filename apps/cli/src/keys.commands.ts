import type { Command } from 'commander';
import {
  ApiKeys,
  IssueApiKey,
  OVERLAP_SECONDS_DEFAULT,
  OVERLAP_SECONDS_MAX,
  Projects,
  RevokeApiKey,
  RotateApiKey,
  scopes,
  type ApiKey,
  type Scope,
} from '#access';
import type { PageQuery } from '#platform/http';
import { addPageOptions, id, integer, moment, scopeList, textList } from './arguments.js';
import type { RunCommand } from './run-command.js';
import { time, type Columns } from './terminal.js';

const SHOWN_ONCE = 'The key is shown only now: the database stores just a keyed hash of it.';

const columns: Columns<ApiKey> = {
  ID: (key) => key.id,
  NAME: (key) => key.name,
  KEY: (key) => key.hint,
  SCOPES: (key) => key.scopes.join(','),
  'ALLOWED FROM': (key) => key.ipAllowlist.join(',') || 'everywhere',
  CREATED: (key) => time(key.createdAt),
  EXPIRES: (key) => time(key.expiresAt),
  REVOKED: (key) => time(key.revokedAt),
  'LAST USED': (key) => time(key.lastUsedAt),
};

const withKey: Columns<ApiKey & { key: string }> = { ...columns, KEY: ({ key }) => key };

export function addKeysCommands(program: Command, run: RunCommand): void {
  const keys = program.command('keys').description('API keys of projects');
  addCreate(keys, run);
  addRotate(keys, run);

  addPageOptions(
    keys
      .command('list')
      .description('list the API keys of a project, newest first')
      .argument('<project>', 'id of the project', id),
  ).action((projectId: string, page: PageQuery) =>
    run(async ({ app, terminal }) => {
      const project = await app.get(Projects).getContext(projectId);
      terminal.list((await app.get(ApiKeys).list(project.id, page)).apiKeys, columns);
    }),
  );

  keys
    .command('revoke')
    .description('revoke an API key; every process refuses it within five seconds')
    .argument('<key>', 'id of the key', id)
    .action((apiKeyId: string) =>
      run(async ({ app, terminal, actor }) =>
        terminal.one(await app.get(RevokeApiKey).execute(apiKeyId, actor), columns),
      ),
    );
}

function addCreate(keys: Command, run: RunCommand): void {
  keys
    .command('create')
    .description('issue an API key; it is shown only once')
    .argument('<project>', 'id of the project', id)
    .argument('<name>', 'name for people')
    .requiredOption('--scopes <list>', `what the key may do: ${scopes.join(',')}`, scopeList)
    .option('--expires-at <time>', 'date or ISO 8601 time at which the key expires (default: never)', moment)
    .option('--allow-from <list>', 'IP addresses and CIDR ranges from which the key works (default: all)', textList)
    .action((projectId: string, name: string, options: { scopes: Scope[]; expiresAt?: Date; allowFrom?: string[] }) =>
      run(async ({ app, terminal, actor }) => {
        const { scopes, expiresAt, allowFrom } = options;
        const issued = await app
          .get(IssueApiKey)
          .execute({ projectId, name, scopes, expiresAt, ipAllowlist: allowFrom, actor });
        terminal.one({ ...issued.apiKey, key: issued.key.reveal() }, withKey);
        terminal.remark(SHOWN_ONCE);
      }),
    );
}

function addRotate(keys: Command, run: RunCommand): void {
  keys
    .command('rotate')
    .description('replace an API key by a new one; the old key works until the overlap ends')
    .argument('<key>', 'id of the old key', id)
    .option(
      '--overlap-seconds <number>',
      'seconds for which the old key still works',
      integer(0, OVERLAP_SECONDS_MAX),
      OVERLAP_SECONDS_DEFAULT,
    )
    .option('--expires-at <time>', 'expiry of the new key (default: the expiry of the old key)', moment)
    .action((apiKeyId: string, options: { overlapSeconds: number; expiresAt?: Date }) =>
      run(async ({ app, terminal, actor }) => {
        const rotated = await app.get(RotateApiKey).execute({ apiKeyId, actor, ...options });
        const { apiKey, key, previousWorksUntil } = rotated;
        terminal.one({ ...apiKey, key: key.reveal(), previousWorksUntil }, withKey);
        terminal.remark(SHOWN_ONCE);
        terminal.remark(`The old key works until ${time(previousWorksUntil)}.`);
      }),
    );
}
