import { createHmac } from 'node:crypto';
import type { Signer } from '../../client/signature.js';

/**
 * developer.gemini.com/authentication/api-key, "Private API invocation": the parameters are JSON in a header, and the
 * body is empty. The signature is the HMAC-SHA384 of the header's text.
 */
export const signGemini: Signer = ({ baseUrl, method, path, params, nonce }, { apiKey = '', apiSecret = '' }) => {
  const members = Object.entries({ request: path, nonce, ...params }).map(toMember);
  const payload = Buffer.from(`{${members.join(',')}}`).toString('base64');
  return {
    method,
    url: `${baseUrl}${path}`,
    headers: {
      'Content-Type': 'text/plain',
      'Cache-Control': 'no-cache',
      'X-GEMINI-APIKEY': apiKey,
      'X-GEMINI-PAYLOAD': payload,
      'X-GEMINI-SIGNATURE': createHmac('sha384', apiSecret).update(payload).digest('hex'),
    },
  };
};

/** Gemini: "`order_id` … is transmitted as an unsigned 64-bit integer", which a double cannot hold. */
function toMember([name, value]: [string, unknown]): string {
  const isId = name === 'order_id' && typeof value === 'string' && /^\d+$/.test(value);
  return `${JSON.stringify(name)}:${isId ? value : JSON.stringify(value)}`;
}
