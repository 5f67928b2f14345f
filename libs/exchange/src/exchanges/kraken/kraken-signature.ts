import { createHash, createHmac } from 'node:crypto';
import { queryOf, type Signer } from '../../client/signature.js';

/**
 * docs.kraken.com/api/docs/guides/spot-rest-auth: "HMAC-SHA512 of (URI path + SHA256(nonce + POST data)) and base64
 * decoded secret API key", in base64.
 */
export const signKraken: Signer = ({ baseUrl, method, path, params, nonce }, { apiKey = '', apiSecret = '' }) => {
  const body = queryOf({ nonce, ...params });
  const hash = createHash('sha256').update(`${nonce}${body}`).digest();
  return {
    method,
    url: `${baseUrl}${path}`,
    headers: {
      'API-Key': apiKey,
      'API-Sign': createHmac('sha512', Buffer.from(apiSecret, 'base64')).update(path).update(hash).digest('base64'),
      'Content-Type': 'application/x-www-form-urlencoded',
    },
    body,
  };
};
