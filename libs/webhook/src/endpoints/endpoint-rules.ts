import { ValidationFailed } from '#platform/errors';
import type { EventType } from '#platform/events';
import { eventTypes } from './event-catalogue.js';

export const DESCRIPTION_LENGTH_MAX = 200;
/** Printable characters, because operators see descriptions in terminals. */
export const DESCRIPTION_PATTERN = /^\P{Cc}{0,200}$/u;

/** Seconds for which the old secret signs beside the new one. */
export const SECRET_OVERLAP_SECONDS_DEFAULT = 86_400;
export const SECRET_OVERLAP_SECONDS_MAX = 7 * 86_400;

/** @throws ValidationFailed */
export function requireDescription(description: string): void {
  if (DESCRIPTION_PATTERN.test(description)) return;
  const message = `description must be at most ${DESCRIPTION_LENGTH_MAX} printable characters`;
  throw new ValidationFailed([{ field: 'description', message }]);
}

/**
 * Returns the types in the order of the catalogue, each once.
 * @throws ValidationFailed for a type that does not exist
 */
export function knownEventTypes(types: readonly string[]): EventType[] {
  const unknown = types.filter((type) => !eventTypes.some((known) => known === type));
  if (unknown.length > 0) {
    const message = `eventTypes: there is no event '${unknown[0]}'; the events are ${eventTypes.join(', ')}`;
    throw new ValidationFailed([{ field: 'eventTypes', message }]);
  }
  return eventTypes.filter((type) => types.includes(type));
}
