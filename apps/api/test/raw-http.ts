import { request } from 'node:http';

/** An answer as its bytes. */
export interface RawAnswer {
  status: number;
  headers: Record<string, string | undefined>;
  body: Buffer;
}

/** One request as it stands: nothing is added to it, and nothing of the answer is decoded. */
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
