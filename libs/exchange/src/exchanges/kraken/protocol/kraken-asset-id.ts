/**
 * The id that gives an asset of a pair the code of the balance: balances name an asset whose id has a prefix (`XXBT`,
 * `XREP`) after its other name (`XBT`, `REP`), which pairs show in `wsname` alone.
 * @param otherName of the asset in `wsname`; empty or undefined = not told.
 */
export function krakenAssetId(id: string, otherName: string | undefined): string {
  return /^[XZ]/.test(id) && otherName !== undefined && otherName !== '' ? otherName : id;
}
