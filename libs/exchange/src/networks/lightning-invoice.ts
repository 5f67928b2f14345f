import { Amount } from '#money';

/** The id of the network whose addresses are invoices. */
export const LIGHTNING = 'lightning';

/** The power of ten by which each multiplier of BOLT 11 divides the number before it. */
const EXPONENTS: Readonly<Record<string, number>> = { '': 0, m: 3, u: 6, n: 9, p: 12 };

/** An invoice of Bitcoin's main network with an amount. The data after the last "1" contains no other "1". */
const WITH_AMOUNT = /^lnbc([1-9][0-9]{0,17})([munp]?)1[^1]+$/;

/**
 * Returns the amount in BTC that a Lightning invoice states in its prefix (BOLT 11): `lnbc2500u1…` states 0.0025.
 * Returns null when the invoice states none, or is not of the main network. `hasValidChecksum` checks the checksum.
 */
export function invoiceAmount(invoice: string): Amount | null {
  const [, digits, multiplier = ''] = WITH_AMOUNT.exec(invoice) ?? [];
  const exponent = EXPONENTS[multiplier];
  return digits === undefined || exponent === undefined ? null : Amount.of(`${digits}e-${exponent}`);
}
