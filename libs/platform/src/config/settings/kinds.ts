import { isIP } from 'node:net';
import { z } from 'zod';

export const integer = (fallback: number, min: number, max: number) =>
  z.coerce
    .number('must be a whole number')
    .int('must be a whole number')
    .min(min, `must be at least ${min}`)
    .max(max, `must be at most ${max}`)
    .default(fallback);
/** A number of days; 0 = without end. */
export const daysOrNever = (fallback: number, min: number, max: number) =>
  integer(fallback, 0, max).refine((days) => days === 0 || days >= min, `must be 0 or at least ${min}`);
export const flag = (fallback: boolean) =>
  z
    .enum(['true', 'false'], 'must be true or false')
    .default(fallback ? 'true' : 'false')
    .transform((text) => text === 'true');
export const list = (fallback = '') =>
  z
    .string()
    .default(fallback)
    .transform((text) =>
      text
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== ''),
    );
/** A list of IPv4 and IPv6 addresses, without ranges and zones. */
export const addresses = () =>
  list().refine(
    (texts) => texts.every((text) => isIP(text) !== 0 && !text.includes('%')),
    'must be IP addresses such as 203.0.113.10, separated by commas',
  );
/** A URL with one of these schemes. */
export const url = (schemes = ['https', 'http']) =>
  z.url({
    protocol: new RegExp(`^(?:${schemes.join('|')})$`),
    error: `must be a URL that begins with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`,
    abort: true,
  });

type TimeUnit = 's' | 'm' | 'h' | 'd';
const UNIT_MS: Record<TimeUnit, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A time span in milliseconds, written with a unit (`90s`, `15m`, `1h`, `2d`) or as a number of seconds (`3600`). */
export const duration = (fallback: string, minMs: number, maxMs: number) =>
  z
    .string()
    .regex(/^\d{1,9}[smhd]?$/, 'must be a number of seconds, or a number with a unit: s, m, h or d')
    .default(fallback)
    .transform((text) => {
      const unit = /[smhd]$/.exec(text)?.[0] as TimeUnit | undefined;
      return Number.parseInt(text, 10) * UNIT_MS[unit ?? 's'];
    })
    .refine((ms) => ms >= minMs && ms <= maxMs, `must be ${minMs / 1_000} to ${maxMs / 1_000} seconds`);
