import type { AssetBalance } from '../../port/exchange.port.js';
import type { Reply } from './exchange-contract.js';

/** Amounts that exchanges have sent in single entries of balances, or could send. */
const ODD: readonly unknown[] = ['-0.00000012', '-12.5', '', null, undefined, '0', '1e30', 'NaN', {}];
const DECIMAL = /^-?\d+(\.\d+)?$/;

/** The same response with one odd amount. */
export interface OddReply {
  readonly name: string;
  readonly reply: Reply;
}

/** Returns the responses in which one number of one entry is odd. Numbers outside of entries belong to the envelope. */
export function withOddAmounts(reply: Reply): OddReply[] {
  const body: unknown = JSON.parse(reply.body);
  return pathsOfNumbers(body).flatMap((path) =>
    ODD.map((odd) => ({
      name: `${path.join('.')} = ${odd === undefined ? 'absent' : JSON.stringify(odd)}`,
      reply: { ...reply, body: JSON.stringify(replaced(body, path, odd)) },
    })),
  );
}

function pathsOfNumbers(value: unknown, path: readonly string[] = []): string[][] {
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, member]) => pathsOfNumbers(member, [...path, key]));
  const isNumber = typeof value === 'number' || (typeof value === 'string' && DECIMAL.test(value));
  return isNumber && path.length > 1 ? [[...path]] : [];
}

function replaced(value: unknown, [key, ...rest]: readonly string[], odd: unknown): unknown {
  if (key === undefined) return odd;
  const members = value as Record<string, unknown>;
  const member = replaced(members[key], rest, odd);
  if (Array.isArray(value)) return value.map((each: unknown, index) => (String(index) === key ? member : each));
  return { ...members, [key]: member };
}

/** Checks that the amounts of a balance are not negative, and that they agree with each other. */
export function requireConsistent({ free, used, total, withdrawable, elsewhere = [] }: AssetBalance): void {
  for (const each of [free, used, total, withdrawable ?? free]) expect(each.isNegative()).toBe(false);
  expect(free.plus(used)).toEqual(total);
  expect(free.lessThan(withdrawable ?? free)).toBe(false);
  for (const { amount } of elsewhere) expect(amount.isPositive()).toBe(true);
}
