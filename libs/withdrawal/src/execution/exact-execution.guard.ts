import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ValidationFailed, type InvalidField } from '#platform/errors';

/** The parts of a request for an execution, as the client sent them. */
interface SentExecution {
  body: unknown;
  query: unknown;
  headers: Record<string, unknown>;
}

type JsonObject = Record<string, unknown>;

/** The documented members of the body. */
const MEMBERS = ['twofa', 'emailCode', 'smsCode', 'bizNo', 'tag', 'params'];
const HOW = 'request a dry run in the body, with {"params": {"dryRun": true}}';
/** Letters of other scripts can resemble those of a documented name, such as a Cyrillic `a` in `tag`. */
const ASCII = /^\p{ASCII}*$/u;
/** Maximum number of characters of a name that an error message shows; a name can be as long as the body. */
const NAME_LENGTH_MAX = 100;
/** Maximum number of fields that an error message names; a body can have thousands. */
const FIELDS_MAX = 20;

/**
 * Refuses an execution whose request has unknown or misplaced parts. It runs after the checks of credentials and scopes
 * and before any other step. It is a guard because validation would remove unknown members first.
 */
@Injectable()
export class ExactExecutionGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { body, query, headers } = context.switchToHttp().getRequest<FastifyRequest>();
    const fields = inexactParts({ body, query, headers });
    if (fields.length > 0) throw new ValidationFailed(fields.slice(0, FIELDS_MAX));
    return true;
  }
}

/**
 * Lists the parts of a request that the caller may have misspelled or misplaced: everything that may be meant as a dry
 * run but has not the documented form, members whose names differ from documented names only in case or separators, and
 * names that are not ASCII. Validation would ignore these parts, and the execution would then move money.
 */
function inexactParts({ body, query, headers }: SentExecution): InvalidField[] {
  return [
    ...Object.keys(headers).filter(looksLikeDryRun).map(misplaced),
    ...misplacedIn(query, ''),
    ...(isObject(body) ? inexactMembers(body) : []),
  ];
}

function inexactMembers({ params, ...others }: JsonObject): InvalidField[] {
  return Object.entries(others)
    .flatMap(([name, value]) => {
      const meant = MEMBERS.find((member) => lettersOf(member) === lettersOf(name));
      if (meant === name) return [];
      const field = shown(name);
      if (meant !== undefined) return [{ field, message: `${field} is unknown; write ${meant}` }];
      return misplacedIn({ [name]: value }, '');
    })
    .concat(params === undefined ? [] : inexactParams(params));
}

function inexactParams(params: unknown): InvalidField[] {
  if (!isObject(params)) return [{ field: 'params', message: 'params must be an object' }];
  return Object.entries(params).flatMap(([name, value]) => {
    const field = shown(`params.${name}`);
    if (name !== 'dryRun') return [{ field, message: `${field} is unknown; the only member of params is dryRun` }];
    return typeof value === 'boolean' ? [] : [{ field, message: `${field} must be true or false` }];
  });
}

/**
 * Lists every name and text in `value` with which the caller may have meant to request a dry run, and every name that is
 * not ASCII. The depth limit of request bodies bounds the recursion.
 */
function misplacedIn(value: unknown, path: string): InvalidField[] {
  if (typeof value === 'string') return lettersOf(value).includes('dryrun') ? [misplaced(path)] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const field = path === '' ? name : `${path}.${name}`;
    if (looksLikeDryRun(name)) return [misplaced(field)];
    return ASCII.test(name) ? misplacedIn(member, field) : [foreign(field)];
  });
}

function misplaced(name: string): InvalidField {
  const field = shown(name);
  return { field, message: `${field} is not understood: ${HOW}` };
}

function foreign(name: string): InvalidField {
  const field = shown(name);
  return { field, message: `${field} is unknown: a name must consist of ASCII characters` };
}

function looksLikeDryRun(name: string): boolean {
  const letters = lettersOf(name);
  return letters === 'dry' || letters.includes('dryrun');
}

/** Removes case and separators, and replaces letters such as full-width ones by their plain forms. */
function lettersOf(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '');
}

function shown(name: string): string {
  return name.slice(0, NAME_LENGTH_MAX);
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
