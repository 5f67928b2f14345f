/**
 * money: exact decimal amounts of an asset.
 *
 * Owns: `Amount`, the only arithmetic on money in the house, and the rule for amounts that callers send.
 * Never does: rounding that the caller did not ask for, JavaScript numbers between an exchange's bytes and the
 * database, anything about prices or exchanges.
 * Invariants: an `Amount` is finite; its text form is a plain decimal (no exponent, no trailing zeros) that parses back
 * to the same value; operations return new values.
 */
export { Amount, InvalidAmount, INPUT_AMOUNT_PATTERN } from './amount.js';
