import { PROJECT_TABLES } from './migrations/0001-initial/projects-of-rows.js';
import { EVERY_PROJECT } from './project-scope.js';
import { processRoles, roleName, type ProcessRole } from './rights.js';

/** The tables that requests of the administration write. Such a request may name any project. */
const ADMINISTERED: readonly string[] = [
  'api_keys',
  'audit_entries',
  'connect_projects',
  'webhook_endpoints',
  'webhook_secrets',
  'webhook_deliveries',
];

interface Policy {
  table: string;
  name: string;
  roles: readonly ProcessRole[];
  command: 'all' | 'select' | 'insert' | 'update';
  /** The condition for rows that are read and for rows that are written. */
  rows: string;
}

const IS_EVERY = `current_project() = '${EVERY_PROJECT}'`;

/** The policies of row-level security, see docs/decisions/0052-rows-by-project.md. */
const POLICIES: readonly Policy[] = [
  ...PROJECT_TABLES.flatMap((table): Policy[] => [
    { table, name: 'present_project', roles: ['api'], command: 'all', rows: 'project_id = current_project()' },
    {
      table,
      name: 'every_project',
      roles: ['api'],
      command: ADMINISTERED.includes(table) ? 'all' : 'select',
      rows: IS_EVERY,
    },
    // Workers and the command line take the work of all projects.
    { table, name: 'all_work', roles: ['worker', 'cli'], command: 'all', rows: 'true' },
  ]),
  // Names and states of projects are no secrets between projects, and many statements join them.
  { table: 'projects', name: 'all_read', roles: processRoles, command: 'select', rows: 'true' },
  { table: 'projects', name: 'administration_creates', roles: ['api'], command: 'insert', rows: IS_EVERY },
  { table: 'projects', name: 'administration_changes', roles: ['api'], command: 'update', rows: IS_EVERY },
  { table: 'projects', name: 'operators', roles: ['cli'], command: 'all', rows: 'true' },
];

/** Returns the statements that create the policies. They change nothing where an equal policy exists. */
export function policiesFor(prefix: string): string[] {
  return POLICIES.map(({ table, name, roles, command, rows }) => {
    const using = command === 'insert' ? '' : ` using (${rows})`;
    const check = command === 'select' ? '' : ` with check (${rows})`;
    const to = roles.map((role) => roleName(prefix, role)).join(', ');
    return `do $do$ begin
      if not exists (select from pg_policies where schemaname = 'public' and tablename = '${table}' and policyname = '${name}'
                       and roles @> '{${to}}') then
        drop policy if exists ${name} on ${table};
        create policy ${name} on ${table} for ${command} to ${to}${using}${check};
      end if;
    end $do$`;
  });
}
