import { ValidationFailed } from '#platform/errors';

/** Returns an error when `value` is nested deeper than `max` levels. The check itself goes no deeper. */
export function refuseDeepJson(value: unknown, max: number): ValidationFailed | undefined {
  return isDeeper(value, max)
    ? new ValidationFailed([{ field: 'body', message: `body nests deeper than ${max} levels` }])
    : undefined;
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeper(member, levels - 1));
}
