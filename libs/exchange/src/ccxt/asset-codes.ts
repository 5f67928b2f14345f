import { loadCcxtClass } from './ccxt-class.js';

const SILENT = {
  send: () => Promise.reject(new Error('names are asked for, not calls')),
  nonce: () => 0,
};

/** ccxt's codes for an exchange's own ids of assets, from its class alone: the exchange is asked nothing. */
export async function loadAssetCodes(ccxtId: string): Promise<(exchangeAssetId: string) => string> {
  const loaded = await loadCcxtClass(ccxtId);
  const instance = loaded.create({}, SILENT);
  return (id) => instance.safeCurrencyCode(id) ?? id;
}
