import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform, type TransformFnParams } from 'class-transformer';
import { IsDate, IsOptional } from 'class-validator';

const ISO_8601 = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?)?(Z|[+-]\d{2}:\d{2})?$/;

/** An optional query parameter that is a moment: ISO 8601; without an offset it is UTC. @param what it does. */
export function DateQuery(what: string): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({
      description: `${what} ISO 8601; without an offset it is UTC.`,
      type: String,
      format: 'date-time',
      example: '2026-01-31T00:00:00Z',
    }),
    IsOptional(),
    Transform(toDate),
    IsDate({ message: '$property must be an ISO 8601 date or date and time' }),
  );
}

/** What is no date stays as it came, so that `IsDate` refuses it. */
function toDate({ value }: TransformFnParams): unknown {
  const match = typeof value === 'string' ? ISO_8601.exec(value) : null;
  if (match === null) return value;
  const [, day, time = 'T00:00', , , offset = 'Z'] = match;
  // JavaScript would silently make March of 30 February.
  const midnight = new Date(`${day}T00:00Z`);
  if (Number.isNaN(midnight.getTime()) || !midnight.toISOString().startsWith(`${day}`)) return value;
  return new Date(`${day}${time}${offset}`);
}
