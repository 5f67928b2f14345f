import { getMetadataStorage } from 'class-validator';
import type { FastifyRequest } from 'fastify';
import type { InvalidField } from '#platform/errors';
import type { JsonObject } from './object-body.pipe.js';

/** Letters of other scripts can resemble those of a documented name, such as a Cyrillic `a` in `tag`. */
const ASCII = /^\p{ASCII}*$/u;
const NOT_ASCII = 'is unknown: a name must consist of ASCII characters';
/** Maximum number of characters of a name that an error message shows; a name can be as long as the body. */
const NAME_LENGTH_MAX = 100;
/** Maximum number of fields that an error message names; a body can have thousands. */
export const FIELDS_MAX = 20;

/** A class whose properties are the documented members of a body. Each of them has a rule of class-validator. */
export type BodyClass = new () => object;

export interface MisspelledOptions {
  /**
   * The end of the error message: how to request a dry run, or that the operation has none. With it, undocumented
   * members are also searched, at every depth, for dry runs and for names that are not ASCII.
   */
  dryRunHint?: string;
  /** Documented members by other usual names: `memo` for `tag`, as some exchanges call it. */
  synonyms?: Readonly<Record<string, string>>;
  /** Names that callers know from exchanges but this operation does not have, each with the advice to the caller. */
  unsupported?: Readonly<Record<string, string>>;
}

/**
 * Lists the members whose names the caller may have misspelled. A name counts as misspelled in two cases: it differs
 * from a documented name, a synonym or an unsupported name only in case or separators, or it is not ASCII. Validation
 * would ignore such a member.
 * @param documented the class of the body
 */
export function misspelledMembers(
  body: JsonObject,
  documented: BodyClass,
  options: MisspelledOptions = {},
): InvalidField[] {
  const { dryRunHint } = options;
  const names = namesOf(documented);
  const problems = problemsByLetters(names, options, (member) => `is unknown; write ${member}`);
  return Object.entries(body).flatMap(([name, value]) => {
    if (names.has(name)) return [];
    const problem = problems.get(lettersOf(name));
    if (problem !== undefined) return [invalid(name, problem)];
    if (dryRunHint !== undefined) return dryRunsIn({ [name]: value }, dryRunHint);
    return ASCII.test(name) ? [] : [invalid(name, NOT_ASCII)];
  });
}

/**
 * Lists the parts of the query and the headers that may be meant for the body, because the operation would ignore them:
 * query parameters with the name of a member, and parts that look like a request for a dry run.
 * @param documented the class of the body
 */
export function membersBesideBody(
  { query, headers }: FastifyRequest,
  documented: BodyClass,
  options: MisspelledOptions = {},
): InvalidField[] {
  const { dryRunHint } = options;
  const problems = problemsByLetters(
    namesOf(documented),
    options,
    (member) => `is not a parameter of the query; send ${member} in the body`,
  );
  const parameters = Object.entries(query as JsonObject).flatMap(([name, value]) => {
    const dryRuns = dryRunHint === undefined ? [] : dryRunsIn({ [name]: value }, dryRunHint);
    const problem = problems.get(lettersOf(name));
    return dryRuns.length > 0 || problem === undefined ? dryRuns : [invalid(name, problem)];
  });
  if (dryRunHint === undefined) return parameters;
  const inHeaders = Object.keys(headers).filter(looksLikeDryRun);
  return [...inHeaders.map((name) => misplaced(name, dryRunHint)), ...parameters];
}

/** Returns the documented names of a body: its properties with a rule of class-validator. */
function namesOf(documented: BodyClass): Set<string> {
  const rules = getMetadataStorage().getTargetValidationMetadatas(documented, '', true, false);
  return new Set(rules.map(({ propertyName }) => propertyName));
}

/**
 * Returns the error message for each name that the caller may have meant, by its letters.
 * @param problemOf makes the message for a name that means the documented member
 */
function problemsByLetters(
  names: ReadonlySet<string>,
  { synonyms = {}, unsupported = {} }: MisspelledOptions,
  problemOf: (member: string) => string,
): Map<string, string> {
  const known = [...Object.entries(synonyms), ...[...names].map((name) => [name, name] as const)];
  return new Map([
    ...Object.entries(unsupported).map(([name, advice]) => [lettersOf(name), `is unknown: ${advice}`] as const),
    ...known.map(([name, member]) => [lettersOf(name), problemOf(member)] as const),
  ]);
}

/** Returns an entry for the list of invalid fields, with a field name of limited length. */
export function invalid(name: string, problem: string): InvalidField {
  const field = name.slice(0, NAME_LENGTH_MAX);
  return { field, message: `${field} ${problem}` };
}

/**
 * Lists every name and text in `value` with which the caller may have meant to request a dry run, and every name that
 * is not ASCII. The depth limit of request bodies bounds the recursion.
 */
function dryRunsIn(value: unknown, hint: string, path = ''): InvalidField[] {
  if (typeof value === 'string') return lettersOf(value).includes('dryrun') ? [misplaced(path, hint)] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const field = path === '' ? name : `${path}.${name}`;
    if (looksLikeDryRun(name)) return [misplaced(field, hint)];
    return ASCII.test(name) ? dryRunsIn(member, hint, field) : [invalid(field, NOT_ASCII)];
  });
}

function misplaced(field: string, hint: string): InvalidField {
  return invalid(field, `is not understood: ${hint}`);
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
    .replaceAll(/[^a-z0-9]+/g, '');
}
