import { ValidateIf } from 'class-validator';

/** Declares that a member of a body may be absent. Unlike `IsOptional`, it refuses null. */
export function MayBeAbsent(): PropertyDecorator {
  return ValidateIf((_body, value: unknown) => value !== undefined);
}
