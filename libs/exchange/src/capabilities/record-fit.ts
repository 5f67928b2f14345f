/**
 * How well a record of the exchange fits a withdrawal that was sent; null = not at all. `other_form`: the address
 * differs from the one that was sent, but may be another form of it. Everything else fits.
 */
export type RecordFit = 'certain' | 'possible' | 'other_form' | null;

/**
 * Returns the records that fit. When one record certainly fits, the result has no `other_form` records: an exchange
 * lists all addresses of a network in one form, so these records are other withdrawals.
 */
export function fittingRecords<T>(
  records: readonly T[],
  fitOf: (record: T) => RecordFit,
): { record: T; isCertain: boolean }[] {
  const fits = records.map((record) => ({ record, fit: fitOf(record) }));
  const isListed = fits.some(({ fit }) => fit === 'certain');
  return fits
    .filter(({ fit }) => fit !== null && !(fit === 'other_form' && isListed))
    .map(({ record, fit }) => ({ record, isCertain: fit === 'certain' }));
}
