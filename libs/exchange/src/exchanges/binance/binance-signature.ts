import { createHmac } from 'node:crypto';
import { queryOf, type Signer } from '../../client/signature.js';

/**
 * How long Binance accepts a request after its timestamp, in milliseconds. Its default is 5,000; the longer window
 * tolerates slow connections.
 */
const RECV_WINDOW = 10_000;

/**
 * developers.binance.com/docs/binance-spot-api-docs/rest-api/request-security: the signature is the HMAC-SHA256 of the
 * percent-encoded parameters, in hexadecimal, and is sent as the last parameter: of the query in a GET, of the form in
 * a POST.
 */
export const signBinance: Signer = ({ baseUrl, method, path, params, nonce }, { apiKey = '', apiSecret = '' }) => {
  const payload = queryOf({ timestamp: nonce, ...params, recvWindow: RECV_WINDOW });
  const signed = `${payload}&signature=${createHmac('sha256', apiSecret).update(payload).digest('hex')}`;
  const headers = { 'X-MBX-APIKEY': apiKey };
  if (method === 'GET') return { method, url: `${baseUrl}${path}?${signed}`, headers };
  return {
    method,
    url: `${baseUrl}${path}`,
    headers: { ...headers, 'Content-Type': 'application/x-www-form-urlencoded' },
    body: signed,
  };
};
