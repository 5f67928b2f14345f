/**
 * money: exact decimal amounts of an asset.
 *
 * Owns: `Amount`, the only arithmetic on money in this project, and the format of amounts that callers send.
 * Never does: round unless the caller requests it; convert an amount to a JavaScript number on its way from an
 * exchange's response to the database; know prices or exchanges.
 * Invariants: an `Amount` is finite; its text form is a plain decimal (no exponent, no trailing zeros) that parses back
 * to the same value; operations return new values.
 */
export { Amount, InvalidAmount, INPUT_AMOUNT_MESSAGE, INPUT_AMOUNT_PATTERN } from './amount.js';
