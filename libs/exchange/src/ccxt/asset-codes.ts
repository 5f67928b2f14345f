import { loadCcxtClass } from './ccxt-class.js';

const SILENT = { send: () => Promise.reject(new Error('this instance sends no calls')), nonce: () => 0 };

/** Loads ccxt's codes for an exchange's asset ids from its class, without a call to the exchange. */
export async function loadAssetCodes(ccxtId: string): Promise<(exchangeAssetId: string) => string> {
  const loaded = await loadCcxtClass(ccxtId);
  const instance = loaded.prepare({}, SILENT).create({});
  return (id) => instance.safeCurrencyCode(id) ?? id;
}
