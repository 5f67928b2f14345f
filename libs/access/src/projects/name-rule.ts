import { ValidationFailed } from '#platform/errors';

export const NAME_LENGTH_MAX = 200;

/** Matches names without control characters: PostgreSQL does not store NUL, and operators see names in terminals. */
export const NAME_PATTERN = /^\P{Cc}{1,200}$/u;

/** @throws ValidationFailed when the name is not 1 to 200 printable characters. */
export function requireName(name: string): void {
  if (NAME_PATTERN.test(name)) return;
  const message = `name must be 1 to ${NAME_LENGTH_MAX} printable characters`;
  throw new ValidationFailed([{ field: 'name', message }]);
}
