import { createHmac } from 'node:crypto';
import { plainQueryOf, queryOf, sortedParams, type Signer } from '../../client/signature.js';

/**
 * www.bitget.com/api-doc/common/signature: the signature is the HMAC-SHA256 of "timestamp + method.toUpperCase() +
 * requestPath + "?" + queryString + body" in base64. The query is sorted by its names and signed without encoding
 * (common/signature-samaple/hmac). "The signature mechanism is identical between v2 and v3" (uta/guide).
 */
export const signBitget: Signer = (
  { baseUrl, method, path, params, nonce },
  { apiKey = '', apiSecret = '', apiPassphrase = '' },
) => {
  const timestamp = String(nonce);
  const sorted = method === 'POST' ? {} : sortedParams(params);
  const body = method === 'POST' ? JSON.stringify(params) : undefined;
  const [sent, signed] = [queryOf(sorted), plainQueryOf(sorted)].map((query) => query && `?${query}`);
  return {
    method,
    url: `${baseUrl}${path}${sent}`,
    headers: {
      'ACCESS-KEY': apiKey,
      'ACCESS-SIGN': createHmac('sha256', apiSecret)
        .update(`${timestamp}${method}${path}${signed}${body ?? ''}`)
        .digest('base64'),
      'ACCESS-TIMESTAMP': timestamp,
      'ACCESS-PASSPHRASE': apiPassphrase,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    body,
  };
};
