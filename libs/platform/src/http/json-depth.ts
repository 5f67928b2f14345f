import { ValidationFailed } from '#platform/errors';

/** An error when `value` nests deeper than `max`; walks no deeper than that itself. */
export function refuseDeepJson(value: unknown, max: number): ValidationFailed | undefined {
  return isDeeper(value, max)
    ? new ValidationFailed([{ field: 'body', message: `body nests deeper than ${max} levels` }])
    : undefined;
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeper(member, levels - 1));
}
