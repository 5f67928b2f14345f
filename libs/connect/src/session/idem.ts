import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Matches } from 'class-validator';

/**
 * An idem has at least 16 characters, because it must be hard to guess: any client that knows the idem and the
 * organization may listen. Quote ids match, because they are topics, too.
 */
const IDEM = /^[A-Za-z0-9_.:~-]{16,128}$/;

/**
 * Validates the name of a topic. Requests for a link and requests to listen use the same rule, so that a client can
 * listen to every accepted `idem`.
 */
export function IsIdem(facts: { description: string; example: string }): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ ...facts, pattern: IDEM.source, minLength: 16, maxLength: 128 }),
    Matches(IDEM, { message: 'idem must be 16 to 128 characters of A-Z a-z 0-9 _ . : ~ -' }),
  );
}
