import { createHmac } from 'node:crypto';
import { plainQueryOf, queryOf, type Signer } from '../../client/signature.js';

/**
 * www.kucoin.com/docs-new/authentication: the signature is the HMAC-SHA256 of "timestamp + method + endpoint + body" in
 * base64; the endpoint includes the query, which KuCoin's own library does not encode for the signature
 * (kucoin-universal-sdk, `default_transport.py`). The passphrase is signed, too. The library states version 3 of keys:
 * "V1 & V2 API keys are no longer supported" (error 400008).
 */
export const signKucoin: Signer = (
  { baseUrl, method, path, params, nonce },
  { apiKey = '', apiSecret = '', apiPassphrase = '' },
) => {
  const signed = (text: string): string => createHmac('sha256', apiSecret).update(text).digest('base64');
  const queried = method === 'POST' ? {} : params;
  const [sent, signedQuery] = [queryOf(queried), plainQueryOf(queried)].map((query) => query && `?${query}`);
  const body = method === 'POST' ? JSON.stringify(params) : undefined;
  return {
    method,
    url: `${baseUrl}${path}${sent}`,
    headers: {
      'KC-API-KEY': apiKey,
      'KC-API-KEY-VERSION': '3',
      'KC-API-TIMESTAMP': String(nonce),
      'KC-API-PASSPHRASE': signed(apiPassphrase),
      'KC-API-SIGN': signed(`${nonce}${method}${path}${signedQuery}${body ?? ''}`),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    body,
  };
};
