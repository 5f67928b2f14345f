import { ValidationFailed } from '#platform/errors';

/** Maximum number of levels of a JSON body. The bodies of the interface have two. */
const LEVELS_MAX = 20;
/**
 * Maximum number of members and list entries of a JSON body, on all levels together. The largest bodies of the
 * interface have about a hundred. The checks of a body take CPU time for each member, also for members that are
 * unknown.
 */
const MEMBERS_MAX = 500;

/**
 * Returns an error when `value` is nested deeper than LEVELS_MAX or has more than MEMBERS_MAX members. The check itself
 * goes no deeper and no further.
 */
export function refuseLargeJson(value: unknown): ValidationFailed | undefined {
  let members = 0;
  const problemOf = (part: unknown, levels: number): string | undefined => {
    if (typeof part !== 'object' || part === null) return undefined;
    if (levels === 0) return `body nests deeper than ${LEVELS_MAX} levels`;
    const parts: unknown[] = Object.values(part);
    members += parts.length;
    if (members > MEMBERS_MAX) return `body has more than ${MEMBERS_MAX} members and list entries`;
    for (const each of parts) {
      const problem = problemOf(each, levels - 1);
      if (problem !== undefined) return problem;
    }
    return undefined;
  };
  const message = problemOf(value, LEVELS_MAX);
  return message === undefined ? undefined : new ValidationFailed([{ field: 'body', message }]);
}
