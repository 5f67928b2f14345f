import { createHmac, randomBytes } from 'node:crypto';

const HEX = /^(?:0x)?[0-9a-f]+$/i;
const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const LOWER = UPPER.toLowerCase();
const DIGITS = '0123456789';
const NUMBER = /^-?\d+(?:\.\d+)?$/;
/** Shorter texts may get themselves as their stand-in. */
const TRIES = 8;
const DAY_MS = 86_400_000;

/** The epoch times that count as times: from 2009 to 2100. */
const EPOCH_MIN_MS = Date.UTC(2009, 0, 1);
const EPOCH_MAX_MS = Date.UTC(2100, 0, 1);
const UNITS_MS: Readonly<Record<number, number>> = { 10: 1_000, 13: 1, 16: 1e-3, 19: 1e-6 };

/**
 * Replaces values by random ones of the same form: the same value always gets the same stand-in, so that ids still
 * refer to each other. The secret that decides them is never stored, so the values cannot be computed again.
 */
export class StandIns {
  private readonly secret = randomBytes(32);
  /** The stand-ins of amounts, which keep the order of the amounts. */
  private amounts = new Map<string, string>();

  /** Learns all amounts before the first of them is replaced. */
  learn(amounts: Iterable<string>): void {
    this.amounts = this.inOrder([...new Set([...amounts].map(withoutSign))].filter((text) => Number(text) !== 0));
  }

  /** The stand-in of a text: letters by letters, digits by digits, and a time by the beginning of its day. */
  of(text: string): string {
    const time = dayOf(text);
    if (time !== null) return time;
    if (NUMBER.test(text)) return this.ofNumber(text);
    for (let round = 0; ; round++) {
      const stand = this.shuffled(text, round);
      if (stand !== text || round === TRIES) return stand;
    }
  }

  /** The stand-in of a number: the same sign and number of digits; zero stays zero. */
  ofNumber(text: string): string {
    const time = dayOf(text);
    if (time !== null) return time;
    const size = withoutSign(text);
    const stand = Number(size) === 0 ? size : (this.amounts.get(size) ?? this.shuffled(size, 0));
    return text.startsWith('-') ? `-${stand}` : stand;
  }

  private shuffled(text: string, round: number): string {
    const bytes = this.bytesFor(text, round);
    const isHex = HEX.test(text) && text.length > 8;
    return [...text]
      .map((char, at) => {
        const byte = bytes(at);
        if (text.startsWith('0x') && at < 2) return char;
        if (/[0-9]/.test(char)) return at === 0 && char !== '0' ? pick(DIGITS.slice(1), byte) : pick(DIGITS, byte);
        if (/\p{Lu}/u.test(char)) return pick(isHex ? UPPER.slice(0, 6) : UPPER, byte);
        return /[\p{L}\p{M}]/u.test(char) ? pick(isHex ? LOWER.slice(0, 6) : LOWER, byte) : plain(char);
      })
      .join('');
  }

  /** A function of positions to bytes that depend on the text and on the secret. */
  private bytesFor(text: string, round: number): (at: number) => number {
    const blocks = new Map<number, Buffer>();
    return (at) => {
      const number = Math.floor(at / 32);
      const block =
        blocks.get(number) ?? createHmac('sha256', this.secret).update(`${round}:${number}:${text}`).digest();
      blocks.set(number, block);
      return block[at % 32] ?? 0;
    };
  }

  /**
   * Stand-ins with the digits of each amount before and after the point. A larger amount gets a stand-in that is not
   * smaller, wherever its digits allow it, so that a fee stays below its amount.
   */
  private inOrder(texts: readonly string[]): Map<string, string> {
    const found = new Map<string, string>();
    let last = 0n;
    const scale = Math.max(0, ...texts.map(decimalsOf));
    const sorted = [...texts].sort((one, other) => (unitsOf(one, scale) < unitsOf(other, scale) ? -1 : 1));
    const draws = new Map<string, bigint[]>();
    for (const text of sorted) {
      const bucket = String(unitsOf(text, scale).toString().length);
      draws.set(
        bucket,
        [...(draws.get(bucket) ?? []), this.drawFor(text, scale)].sort((a, b) => (a < b ? -1 : 1)),
      );
    }
    for (const text of sorted) {
      const draw = draws.get(unitsOf(text, scale).toString().length.toString())?.shift() ?? 0n;
      const step = 10n ** BigInt(scale - decimalsOf(text));
      const floor = draw - (draw % step);
      const units = floor >= last ? floor : last + ((step - (last % step)) % step);
      const stand = textOf(units, scale, text);
      found.set(text, stand.length === text.length ? stand : textOf(floor, scale, text));
      last = units > last ? units : last;
    }
    return found;
  }

  /** A random number with as many digits as the text has at this scale. */
  private drawFor(text: string, scale: number): bigint {
    const digits = unitsOf(text, scale).toString().length;
    const bytes = this.bytesFor(text, 0);
    const drawn = Array.from({ length: digits }, (_, at) => pick(at === 0 ? DIGITS.slice(1) : DIGITS, bytes(at)));
    return BigInt(drawn.join(''));
  }
}

const withoutSign = (text: string): string => text.replace(/^-/, '');
const decimalsOf = (text: string): number => text.split('.')[1]?.length ?? 0;

function unitsOf(text: string, scale: number): bigint {
  return BigInt(text.replace('.', '')) * 10n ** BigInt(scale - decimalsOf(text));
}

/** The text of an amount with the digits before and after the point that `form` has. */
function textOf(units: bigint, scale: number, form: string): string {
  const decimals = decimalsOf(form);
  const whole = form.length - (decimals === 0 ? 0 : decimals + 1);
  const digits = (units / 10n ** BigInt(scale - decimals)).toString().padStart(whole + decimals, '0');
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** The beginning of the day of a time in ISO 8601 or since the epoch, in the same form; null = the text is no time. */
export function dayOf(text: string): string | null {
  return isoDayOf(text) ?? epochDayOf(text);
}

function isoDayOf(text: string): string | null {
  const [, day = '', time = '', zone = ''] =
    /^(\d{4}-\d\d-\d\d)([T ]\d\d:\d\d[\d:.]{0,13})?(Z|[+-]\d\d:?\d\d)?$/.exec(text) ?? [];
  if (day === '' || Number.isNaN(Date.parse(day))) return null;
  return `${day}${time.replace(/\d/g, '0')}${zone}`;
}

/** Seconds, milliseconds, microseconds or nanoseconds. Seconds may have decimals. */
function epochDayOf(text: string): string | null {
  const [, whole = '', fraction = ''] = /^(\d{10}|\d{13}|\d{16}|\d{19})(\.\d+)?$/.exec(text) ?? [];
  const unitMs = UNITS_MS[whole.length] ?? Number.NaN;
  const ms = Number(whole) * unitMs;
  if (!(ms >= EPOCH_MIN_MS && ms <= EPOCH_MAX_MS)) return null;
  const day = String(Math.floor(ms / DAY_MS) * DAY_MS);
  return `${unitMs === 1_000 ? day.slice(0, -3) : day.padEnd(whole.length, '0')}${fraction.replace(/\d/g, '0')}`;
}

/** Characters that occur in ids, times and amounts stay; every other one becomes a question mark. */
function plain(char: string): string {
  return /^[\x20-\x7e]$/.test(char) ? char : '?';
}

function pick(from: string, byte: number): string {
  return from[byte % from.length] ?? '';
}
