/**
 * The id by which ccxt gives an asset of a pair the same code as in balances. Balances name an asset whose id has a
 * prefix (`XXBT`, `XREP`) by its other name (`XBT`, `REP`). Pairs contain that name only in `wsname`.
 * @param otherName the asset's name in `wsname`; empty or undefined = not known.
 */
export function krakenAssetId(id: string, otherName: string | undefined): string {
  return /^[XZ]/.test(id) && otherName !== undefined && otherName !== '' ? otherName : id;
}
