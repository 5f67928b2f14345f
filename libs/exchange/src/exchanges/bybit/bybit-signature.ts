import { createHmac } from 'node:crypto';
import { plainQueryOf, type Signer } from '../../client/signature.js';

/** How long Bybit accepts a request after its timestamp: "default 5000", in milliseconds. */
const RECV_WINDOW = '5000';

/**
 * bybit-exchange.github.io/docs/v5/guide#authentication: the signature is the HMAC-SHA256 of "timestamp+api_key+
 * recv_window+queryString" for a GET and "timestamp+api_key+recv_window+jsonBodyString" for a POST, in hexadecimal.
 * Bybit's library (github.com/bybit-exchange/pybit) does not encode the query. Cursors are percent-encoded already.
 */
export const signBybit: Signer = ({ baseUrl, method, path, params, nonce }, { apiKey = '', apiSecret = '' }) => {
  const timestamp = String(nonce);
  const query = method === 'GET' ? plainQueryOf(params) : '';
  const body = method === 'GET' ? undefined : JSON.stringify(params);
  return {
    method,
    url: `${baseUrl}${path}${query && `?${query}`}`,
    headers: {
      'Content-Type': 'application/json',
      'X-BAPI-API-KEY': apiKey,
      'X-BAPI-TIMESTAMP': timestamp,
      'X-BAPI-RECV-WINDOW': RECV_WINDOW,
      'X-BAPI-SIGN': createHmac('sha256', apiSecret)
        .update(`${timestamp}${apiKey}${RECV_WINDOW}${body ?? query}`)
        .digest('hex'),
    },
    body,
  };
};
