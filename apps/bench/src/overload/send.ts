import { request, type Agent, type RequestOptions } from 'node:http';

export interface Call {
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
}

export interface Outcome {
  /** The status of the response, or the reason why there was none. */
  status: string;
  ms: number;
}

export interface SendOptions {
  /** False opens a new connection for this request. */
  agent: Agent | false;
  timeoutMs: number;
}

/** Sends a request and reads the whole response. A failure is an outcome, too, and never throws. */
export function send(address: string, call: Call, { agent, timeoutMs }: SendOptions): Promise<Outcome> {
  const began = performance.now();
  return new Promise((resolve) => {
    const end = (status: string): void => resolve({ status, ms: performance.now() - began });
    const fail = (error: NodeJS.ErrnoException): void => end(error.code ?? error.message);
    const { method, path, headers, body = '' } = call;
    const type = body === '' ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const options: RequestOptions = { method, agent, headers: { ...headers, ...type }, timeout: timeoutMs };
    const sent = request(`${address}${path}`, options, (response) => {
      response
        .on('error', fail)
        .once('end', () => end(String(response.statusCode)))
        .resume();
    });
    sent.on('error', fail).once('timeout', () => sent.destroy(new Error('timed out')));
    sent.end(body);
  });
}
