import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Matches } from 'class-validator';

/** Long enough that nobody guesses it: who knows it and the organization may listen. A quote id is one, too. */
const IDEM = /^[A-Za-z0-9_.:~-]{16,128}$/;

/** Names a topic: what may be asked for may be listened to. */
export function IsIdem(facts: { description: string; example: string }): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ ...facts, pattern: IDEM.source, minLength: 16, maxLength: 128 }),
    Matches(IDEM, { message: 'idem must be 16 to 128 characters of A-Z a-z 0-9 _ . : ~ -' }),
  );
}
