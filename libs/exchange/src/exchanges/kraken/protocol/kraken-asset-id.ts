/**
 * Returns the id for which ccxt returns the same asset code as for balances. Some assets have an id with a prefix in
 * pairs (`XXBT`, `XREP`), and an id without the prefix in balances (`XBT`, `REP`). A pair has the latter only in
 * `wsname`.
 * @param shortName the asset's name in `wsname`; empty or undefined = not known.
 */
export function krakenAssetId(id: string, shortName: string | undefined): string {
  return /^[XZ]/.test(id) && shortName !== undefined && shortName !== '' ? shortName : id;
}
