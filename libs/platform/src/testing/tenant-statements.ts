import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from './project-root.js';

/** A text of SQL in the source code. */
export interface Statement {
  readonly file: string;
  /** With single spaces. */
  readonly sql: string;
}

const MIGRATIONS = 'libs/platform/src/database/migrations';

/** Ids that are unique among all projects. A row that is found by one of them is the row of one project. */
const BY_ID = /\b(?:id|quote_id|wallet_id|withdrawal_id|endpoint_id)\s*(?:= ?(?:\$|any ?\(|\w+\.)|in ?\()|\bid > \$/;
/** The condition of a project, or of the organization to which it belongs. */
const BY_TENANT = /\bproject_?id\b|\borganization_?id\b/i;
/** The ids that callers choose are unique only within a project. */
const BY_CALLERS_ID = /\bexternal_(?:wallet_)?id\s*= ?\$/;

function filesIn(folder: string): string[] {
  return readdirSync(path.join(projectRoot, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('spec.ts') && !/(^|\/)testing\//.test(file))
    .map((file) => `${folder}/${file}`)
    .filter((file) => !file.startsWith(MIGRATIONS));
}

function readCode(file: string): string {
  return readFileSync(path.join(projectRoot, file), 'utf8')
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/^\s*\/\/.*$/gm, '');
}

/** The tables with a column `project_id`, from the migrations. */
export function tenantTables(): string[] {
  const folder = path.join(projectRoot, MIGRATIONS);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const text = files.map((file) => readFileSync(path.join(folder, file), 'utf8')).join('\n');
  return [...text.matchAll(/create (?:unlogged )?table (\w+) \(([\s\S]*?)\n\s*\)/g)]
    .filter(([, , columns]) => /\bproject_id\b/.test(columns ?? ''))
    .map(([, table]) => table ?? '');
}

export function statementsIn(folder: string): Statement[] {
  return filesIn(folder).flatMap((file) =>
    [...readCode(file).matchAll(/`((?:[^`\\]|\\.)*)`|'((?:[^'\\\n]|\\.)*)'/g)]
      .map(([, template, text]) => ({ file, sql: (template ?? text ?? '').replaceAll(/\s+/g, ' ').trim() }))
      .filter(({ sql }) => /\b(?:select|update|insert into|delete from)\b|=\s?\$\d/.test(sql)),
  );
}

/** A statement that takes rows because a time has come, or so that no other worker takes them. */
const TAKES_DUE = /\bnext_\w+ <= \$|\berase_after <= \$|\bskip locked\b|\bp\.deleted_at is not null\b/;
/** Tables without rows of tenants. */
const OF_PROCESSES = /\bexchange_(?:nonces|callers|pauses)\b/;

/** The statements with which workers take due rows of tenants, in all libs. */
export function dueStatements(): Statement[] {
  return statementsIn('libs').filter(({ sql }) => TAKES_DUE.test(sql) && !OF_PROCESSES.test(sql));
}

/**
 * The statements of a folder that can read or change rows of several projects: those on a table with a project that
 * name neither the project nor the organization nor an id that is unique among all projects, and those that look for
 * the id of a caller without the project.
 */
export function statementsOverProjects(folder: string): Statement[] {
  const tables = tenantTables();
  const named = new RegExp(`\\b(?:from|join|into|update|using) (?:only )?(?:${tables.join('|')})\\b`);
  return statementsIn(folder).filter(({ sql }) => {
    if (BY_TENANT.test(sql)) return false;
    return BY_CALLERS_ID.test(sql) || (named.test(sql) && !BY_ID.test(sql));
  });
}

/** Columns that name the rows of a statement. Every other column of a condition is a guard. */
const KEYS = /^(?:\w+_)?(?:id|key|exchange|asset|network|topic|kind|number|position)$/;

/** A comparison of a column, with the names of a table and of a member of JSON left out. */
const COMPARED =
  /(?:\b\w+\.)?\b([a-z_]+)(?:->>'\w+')?\)? ?(?:[=<>]|is (?:not |null|distinct)|in \()|\bnot ([a-z_]+)\b/g;

/**
 * Describes what each statement that changes or deletes rows expects of them besides their keys, such as the state that
 * another process may have changed meanwhile: `update withdrawals: state`.
 */
export function guardsOfChanges(folder: string): string[] {
  return statementsIn(folder).flatMap(({ file, sql }) =>
    [...sql.matchAll(/\b(update|delete from) (\w+)(?: \w+)? (?:set|using|where)\b/g)].map(
      ({ 1: verb, 2: table, index }) => {
        const [, conditions = ''] = /\bwhere\b(.*?)(?:\breturning\b|$)/.exec(sql.slice(index)) ?? [];
        const compared = [...conditions.matchAll(COMPARED)].map(([, column, flag]) => column ?? `not ${flag}`);
        const guards = compared.filter((column) => !KEYS.test(column) && column !== 'not exists' && column !== 'not');
        const stops = /not exists \(select from (stopped_\w+)/.exec(conditions);
        const all = [...new Set(guards)].sort().concat(stops === null ? [] : `not in ${stops[1]}`);
        return `${file.replace('/src', '')}: ${verb} ${table}: ${all.join(', ') || 'nothing'}`;
      },
    ),
  );
}
