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
}

/**
 * Lists the members whose names the caller may have misspelled. A name counts as misspelled in two cases: it differs
 * from a documented name or a synonym only in case or separators, or it is not ASCII. Validation would ignore such a
 * member.
 * @param documented the class of the body
 */
export function misspelledMembers(
  body: JsonObject,
  documented: BodyClass,
  { dryRunHint, synonyms = {} }: MisspelledOptions = {},
): InvalidField[] {
  const rules = getMetadataStorage().getTargetValidationMetadatas(documented, '', true, false);
  const names = new Set(rules.map(({ propertyName }) => propertyName));
  const known = [...Object.entries(synonyms), ...[...names].map((name) => [name, name] as const)];
  const byLetters = new Map(known.map(([name, meant]) => [lettersOf(name), meant]));
  return Object.entries(body).flatMap(([name, value]) => {
    if (names.has(name)) return [];
    const meant = byLetters.get(lettersOf(name));
    if (meant !== undefined) return [invalid(name, `is unknown; write ${meant}`)];
    if (dryRunHint !== undefined) return dryRunsIn({ [name]: value }, dryRunHint);
    return ASCII.test(name) ? [] : [invalid(name, NOT_ASCII)];
  });
}

/** Lists the parts of the query and the headers with which the caller may have meant to request a dry run. */
export function dryRunsBesideBody({ query, headers }: FastifyRequest, dryRunHint: string): InvalidField[] {
  const sent = Object.keys(headers).filter(looksLikeDryRun);
  return [...sent.map((name) => misplaced(name, dryRunHint)), ...dryRunsIn(query, dryRunHint)];
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
