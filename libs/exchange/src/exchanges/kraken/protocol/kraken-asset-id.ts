/**
 * The id for which ccxt returns the same asset code in a pair as in balances. Pairs name some assets by an id with a
 * prefix (`XXBT`, `XREP`), and balances without it (`XBT`, `REP`). Only the field `wsname` of a pair has the short
 * name.
 * @param shortName the asset's name in `wsname`; empty or undefined = not known.
 */
export function krakenAssetId(id: string, shortName: string | undefined): string {
  return /^[XZ]/.test(id) && shortName !== undefined && shortName !== '' ? shortName : id;
}
