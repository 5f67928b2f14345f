import { ValidationFailed } from '#platform/errors';

/** Maximum number of levels of a JSON body. The bodies of the interface have two. */
const LEVELS_MAX = 20;

/** Returns an error when `value` is nested deeper than LEVELS_MAX. The check itself goes no deeper. */
export function refuseDeepJson(value: unknown): ValidationFailed | undefined {
  return isDeeper(value, LEVELS_MAX)
    ? new ValidationFailed([{ field: 'body', message: `body nests deeper than ${LEVELS_MAX} levels` }])
    : undefined;
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeper(member, levels - 1));
}
