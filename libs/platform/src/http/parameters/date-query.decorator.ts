import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform, type TransformFnParams } from 'class-transformer';
import { IsDate, IsOptional, type ValidationArguments } from 'class-validator';
import { isDay, YEAR_10000 } from '#platform/clock';

const ISO_8601 = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?)?(Z|[+-]\d{2}:\d{2})?$/;

/** A time whose offset had an unescaped `+`: in a query, `+` stands for a space. */
const UNESCAPED_OFFSET = /T.+ \d{2}:\d{2}$/;

/** The earliest accepted time, because PostgreSQL cannot read the year 0. */
const YEAR_1 = new Date('0001-01-01T00:00:00Z');

/**
 * Declares an optional query parameter in ISO 8601. A time without an offset is UTC.
 * @param meaning first sentence of the parameter's documentation.
 */
export function DateQuery(meaning: string): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({
      description: `${meaning} ISO 8601; without an offset it is UTC.`,
      type: String,
      format: 'date-time',
      example: '2026-01-31T00:00:00Z',
    }),
    IsOptional(),
    Transform(toDate),
    IsDate({ message: messageFor }),
  );
}

function messageFor({ value }: ValidationArguments): string {
  const rule = '$property must be an ISO 8601 date or date and time';
  return UNESCAPED_OFFSET.test(String(value)) ? `${rule}; send + as %2B` : rule;
}

/** Converts ISO 8601 text to a date, and leaves every other value unchanged, so that `IsDate` refuses it. */
function toDate({ value }: TransformFnParams): unknown {
  const match = typeof value === 'string' ? ISO_8601.exec(value) : null;
  if (match === null) return value;
  const [, day = '', time = 'T00:00', , , offset = 'Z'] = match;
  if (!isDay(day)) return value;
  const date = new Date(`${day}${time}${offset}`);
  return date < YEAR_1 || date >= YEAR_10000 ? value : date;
}
