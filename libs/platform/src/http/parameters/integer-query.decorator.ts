import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform, type TransformFnParams } from 'class-transformer';
import { IsInt, IsOptional, Max, Min } from 'class-validator';

/** Only digits: `Number` would also accept `0x10`, `1e2`, `+5`, `5.0` and an empty text. */
const INTEGER = /^\d{1,9}$/;
const INTEGER_MAX = 999_999_999;

interface IntegerQueryOptions {
  description: string;
  minimum: number;
  /** Default: the largest number of nine digits. */
  maximum?: number;
  default?: number;
  example?: number;
}

/** Declares an optional query parameter that is an integer, written in one to nine digits and nothing else. */
export function IntegerQuery({ maximum = INTEGER_MAX, ...options }: IntegerQueryOptions): PropertyDecorator {
  const message = `$property must be an integer from ${options.minimum} to ${maximum}, written in digits alone`;
  return applyDecorators(
    ApiPropertyOptional({ ...options, maximum, type: 'integer' }),
    IsOptional(),
    Transform(toInteger),
    IsInt({ message }),
    Min(options.minimum, { message }),
    Max(maximum, { message }),
  );
}

/** Converts one to nine digits to a number, and leaves every other value unchanged, so that `IsInt` refuses it. */
function toInteger({ value }: TransformFnParams): unknown {
  return typeof value === 'string' && INTEGER.test(value) ? Number(value) : value;
}
