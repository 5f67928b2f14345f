import { createHash, createHmac } from 'node:crypto';
import { plainQueryOf, queryOf, type Signer } from '../../client/signature.js';

/**
 * www.gate.com/docs/developers/apiv4/#api-signature-string-generation: the signature is the HMAC-SHA512 of method,
 * path, query, hash of the body and time in seconds, each on its own line, in hexadecimal. The query is signed "without
 * URL encode".
 */
export const signGate: Signer = ({ baseUrl, method, path, params, nonce }, { apiKey = '', apiSecret = '' }) => {
  const timestamp = String(Math.floor(nonce / 1000));
  const isPost = method === 'POST';
  const query = isPost ? '' : queryOf(params);
  const body = isPost ? JSON.stringify(params) : undefined;
  const hashed = createHash('sha512')
    .update(body ?? '')
    .digest('hex');
  const text = [method, path, isPost ? '' : plainQueryOf(params), hashed, timestamp].join('\n');
  return {
    method,
    url: `${baseUrl}${path}${query && `?${query}`}`,
    headers: {
      KEY: apiKey,
      Timestamp: timestamp,
      SIGN: createHmac('sha512', apiSecret).update(text).digest('hex'),
      'Content-Type': 'application/json',
    },
    body,
  };
};
