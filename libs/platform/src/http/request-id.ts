import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { countOf } from './connections/request-head.js';

const ACCEPTED = /^[\x20-\x7e]{1,128}$/;
/** The last group of a UUID. */
const COUNTED_DIGITS = 12;

/** The ids of one process differ in their last group only, which counts: a random id for each request costs more. */
const OF_THIS_PROCESS = randomUUID().slice(0, -COUNTED_DIGITS);
let made = 0;

/** Returns the caller's id when it was sent once and is printable, else a new one. */
export function requestIdOf({ headers, rawHeaders }: IncomingMessage): string {
  const { 'x-request-id': given } = headers;
  const isOne = given !== undefined && countOf(rawHeaders, 'x-request-id') === 1;
  return acceptedIdOf(isOne ? String(given) : undefined);
}

/** Returns the id that the caller sent when it is printable, else a new one. */
export function acceptedIdOf(given: string | undefined): string {
  if (given !== undefined && ACCEPTED.test(given)) return given;
  made += 1;
  return OF_THIS_PROCESS + made.toString(16).padStart(COUNTED_DIGITS, '0');
}
