import { request } from 'node:http';

/** A response with its raw body. */
export interface RawAnswer {
  status: number;
  headers: Record<string, string | undefined>;
  body: Buffer;
}

/** Sends one request without additional headers, and returns the body undecoded. */
export function sendRaw(
  url: string,
  headers: Record<string, string | string[]> = {},
  method = 'GET',
  body?: Buffer,
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(body.length) };
    const sent = request(url, { method, headers: { ...headers, ...length }, agent: false }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => {
        const answer = response.headers as Record<string, string | undefined>;
        resolve({ status: response.statusCode ?? 0, headers: answer, body: Buffer.concat(parts) });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
