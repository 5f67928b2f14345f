import { createHmac } from 'node:crypto';
import { plainQueryOf, type Signer } from '../../client/signature.js';

/**
 * www.kucoin.com/docs-new/authentication: the signature is the HMAC-SHA256 of "timestamp + method + endpoint + body" in
 * base64; the endpoint includes the query. The passphrase is signed, too. KuCoin's own library states version 3 of keys:
 * "V1 & V2 API keys are no longer supported" (error 400008).
 */
export const signKucoin: Signer = (
  { baseUrl, method, path, params, nonce },
  { apiKey = '', apiSecret = '', apiPassphrase = '' },
) => {
  const signed = (text: string): string => createHmac('sha256', apiSecret).update(text).digest('base64');
  const query = method === 'POST' ? '' : plainQueryOf(params);
  const target = query === '' ? path : `${path}?${query}`;
  const body = method === 'POST' ? JSON.stringify(params) : undefined;
  return {
    method,
    url: `${baseUrl}${target}`,
    headers: {
      'KC-API-KEY': apiKey,
      'KC-API-KEY-VERSION': '3',
      'KC-API-TIMESTAMP': String(nonce),
      'KC-API-PASSPHRASE': signed(apiPassphrase),
      'KC-API-SIGN': signed(`${nonce}${method}${target}${body ?? ''}`),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    body,
  };
};
