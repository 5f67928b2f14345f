import { createHmac, randomUUID } from 'node:crypto';
import { queryOf, type Signer } from '../../client/signature.js';

const VERSION = 'v2';
const FORM = 'application/x-www-form-urlencoded';

/**
 * www.bitstamp.net/api, "Authentication". The nonce is a random UUID, because "each nonce can be used only once within
 * a timeframe of 150 seconds". The timestamp is in milliseconds. "If the request body is empty, the Content-Type header
 * has to be removed both from the headers and from the signature."
 */
export const signBitstamp: Signer = (
  { baseUrl, method, path, params, nonce: timestamp },
  { apiKey = '', apiSecret = '' },
) => {
  const encoded = queryOf(params);
  const body = method === 'POST' ? encoded : '';
  const query = method === 'POST' || encoded === '' ? '' : `?${encoded}`;
  const contentType = body === '' ? '' : FORM;
  const [key, nonce] = [`BITSTAMP ${apiKey}`, randomUUID()];
  const { host } = new URL(baseUrl);
  const text = [key, method, host, path, query, contentType, nonce, timestamp, VERSION, body].join('');
  return {
    method,
    url: `${baseUrl}${path}${query}`,
    headers: {
      'X-Auth': key,
      'X-Auth-Nonce': nonce,
      'X-Auth-Timestamp': String(timestamp),
      'X-Auth-Version': VERSION,
      'X-Auth-Signature': createHmac('sha256', apiSecret).update(text).digest('hex'),
      ...(body !== '' && { 'Content-Type': contentType }),
    },
    ...(body !== '' && { body }),
  };
};
