import { Decimal } from 'decimal.js';

/** Decimals with enough digits for a product of two amounts of 38 digits. Bounded exponents limit hostile input. */
const Exact = Decimal.clone({
  precision: 100,
  rounding: Decimal.ROUND_DOWN,
  toExpNeg: -200,
  toExpPos: 200,
  minE: -200,
  maxE: 200,
});

/** The form of amounts that callers may send: at most 20 digits before and 18 after the point; no sign, no exponent. */
export const INPUT_AMOUNT_PATTERN = /^[0-9]{1,20}(\.[0-9]{1,18})?$/;
/** Error message that describes `INPUT_AMOUNT_PATTERN`. class-validator replaces `$property` by the field's name. */
export const INPUT_AMOUNT_MESSAGE =
  '$property must be a plain decimal such as 0.01, with at most 20 digits before and 18 after the point';

/**
 * The form of amounts from exchanges and PostgreSQL, which also write signs and exponents. The exponent is bounded, so
 * that a short text such as "1e999999999" cannot become a number with a gigabyte of digits.
 */
const TRUSTED_PATTERN = /^-?[0-9]{1,60}(\.[0-9]{1,60})?([eE][+-]?[0-9]{1,2})?$/;

/** The text that `toString` returns: no exponent, no needless zero. Zero has no sign. */
const PLAIN_PATTERN = /^(0|-?(?:[1-9][0-9]*|0(?=\.))(?:\.[0-9]*[1-9])?)$/;

/** The text is not an amount. The message contains the beginning of the text. */
export class InvalidAmount extends Error {
  constructor(text: string) {
    super(`not a decimal amount: ${JSON.stringify(text.slice(0, 40))}`);
  }
}

/** An exact, immutable decimal amount of one asset. */
export class Amount {
  static readonly zero = new Amount('0');

  /** The decimal, created at the first calculation, because most amounts are stored and sent without a calculation. */
  #value: Decimal | undefined;

  /** @param text the plain form, which is the same for equal amounts */
  private constructor(private readonly text: string) {}

  private static from(value: Decimal): Amount {
    const amount = new Amount(value.toFixed());
    amount.#value = value;
    return amount;
  }

  private static parse(text: string): Amount {
    return PLAIN_PATTERN.test(text) ? new Amount(text) : Amount.from(new Exact(text));
  }

  private get value(): Decimal {
    return (this.#value ??= new Exact(this.text));
  }

  /**
   * Parses an amount that a caller sent. It must match `INPUT_AMOUNT_PATTERN` and be greater than zero.
   * @throws InvalidAmount
   */
  static parseInput(text: string): Amount {
    if (!INPUT_AMOUNT_PATTERN.test(text)) throw new InvalidAmount(text);
    const amount = Amount.parse(text);
    if (!amount.isPositive()) throw new InvalidAmount(text);
    return amount;
  }

  /**
   * Parses an amount from an exchange or the database. A sign and an exponent are allowed.
   * @throws InvalidAmount
   */
  static of(text: string): Amount {
    if (!TRUSTED_PATTERN.test(text)) throw new InvalidAmount(text);
    return Amount.parse(text);
  }

  static sum(amounts: readonly Amount[]): Amount {
    return amounts.reduce((total, each) => total.plus(each), Amount.zero);
  }

  plus(other: Amount): Amount {
    return Amount.from(this.value.plus(other.value));
  }

  minus(other: Amount): Amount {
    return Amount.from(this.value.minus(other.value));
  }

  times(other: Amount): Amount {
    return Amount.from(this.value.times(other.value));
  }

  /**
   * Returns the quotient for display, such as a mean price, rounded towards zero to `places` digits after the point.
   */
  dividedBy(divisor: Amount, places: number): Amount {
    return Amount.from(this.value.dividedBy(divisor.value).toDecimalPlaces(places, Decimal.ROUND_DOWN));
  }

  abs(): Amount {
    return Amount.from(this.value.abs());
  }

  /**
   * Rounds towards zero to `places` digits after the point. Use it to display a value, such as a fiat value, and never
   * for an amount that is sent.
   */
  truncate(places: number): Amount {
    return Amount.from(this.value.toDecimalPlaces(places, Decimal.ROUND_DOWN));
  }

  /** Number of digits after the point, without trailing zeros. */
  decimalPlaces(): number {
    return this.value.decimalPlaces();
  }

  /** Whether this is a whole number of `step`s (tick size, step size), which need not be powers of ten. */
  isMultipleOf(step: Amount): boolean {
    return this.value.modulo(step.value).isZero();
  }

  compare(other: Amount): -1 | 0 | 1 {
    return this.value.comparedTo(other.value) as -1 | 0 | 1;
  }

  equals(other: Amount): boolean {
    return this.text === other.text;
  }

  lessThan(other: Amount): boolean {
    return this.value.lessThan(other.value);
  }

  greaterThan(other: Amount): boolean {
    return this.value.greaterThan(other.value);
  }

  isZero(): boolean {
    return this.text === '0';
  }

  isPositive(): boolean {
    return !this.isZero() && !this.isNegative();
  }

  isNegative(): boolean {
    return this.text.startsWith('-');
  }

  /** Plain decimal without an exponent, such as "0.0000001". */
  toString(): string {
    return this.text;
  }

  toJSON(): string {
    return this.toString();
  }

  /**
   * Returns a JSON number, which loses digits beyond 2^53. Use it only for response fields that the interface defines
   * as numbers.
   */
  toJsonNumber(): number {
    return Number(this.text);
  }
}
