import { createHmac } from 'node:crypto';
import { queryOf, type Signer } from '../../client/signature.js';

/**
 * www.okx.com/docs-v5/en/#overview-rest-authentication: the signature is the HMAC-SHA256 of "timestamp + method +
 * requestPath + body" in base64. The timestamp is in ISO format with milliseconds, and parameters of a GET "are counted
 * as requestpath".
 */
export const signOkx: Signer = (
  { baseUrl, method, path, params, nonce },
  { apiKey = '', apiSecret = '', apiPassphrase = '' },
) => {
  const timestamp = new Date(nonce).toISOString();
  const query = method === 'GET' ? queryOf(params) : '';
  const target = query === '' ? path : `${path}?${query}`;
  const body = method === 'GET' ? undefined : JSON.stringify(params);
  return {
    method,
    url: `${baseUrl}${target}`,
    headers: {
      'OK-ACCESS-KEY': apiKey,
      'OK-ACCESS-PASSPHRASE': apiPassphrase,
      'OK-ACCESS-TIMESTAMP': timestamp,
      'OK-ACCESS-SIGN': createHmac('sha256', apiSecret)
        .update(`${timestamp}${method}${target}${body ?? ''}`)
        .digest('base64'),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    body,
  };
};
