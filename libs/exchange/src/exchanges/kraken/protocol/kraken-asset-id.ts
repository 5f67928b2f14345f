/**
 * Returns an id of a pair's asset that ccxt converts to the same code as the asset's id in balances. Some ids have a
 * prefix in pairs (`XXBT`, `XREP`) and none in balances (`XBT`, `REP`). The only field of a pair that has the id
 * without the prefix is `wsname`.
 * @param shortName the asset's name in `wsname`; empty or undefined = not known.
 */
export function krakenAssetId(id: string, shortName: string | undefined): string {
  return /^[XZ]/.test(id) && shortName !== undefined && shortName !== '' ? shortName : id;
}
