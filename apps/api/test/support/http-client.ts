import supertest from 'supertest';
import type { Answer, DocumentedResponses } from './documented-responses.js';

export interface RequestOptions {
  headers?: Record<string, string | string[]>;
  query?: Record<string, string | number | boolean | string[]>;
  /** Objects are sent as JSON, strings unchanged. The content type is JSON unless `headers` names another one. */
  body?: object | string;
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** A client of the API that throws on every response that the OpenAPI document does not describe. */
export class HttpClient {
  constructor(
    private readonly baseUrl: string,
    private readonly answers: DocumentedResponses,
    private readonly headers: Record<string, string | string[]> = {},
  ) {}

  /** Returns this client with more headers. An empty string removes a header, including `content-type`. */
  with(headers: Record<string, string | string[]>): HttpClient {
    return new HttpClient(this.baseUrl, this.answers, { ...this.headers, ...headers });
  }

  /** Returns this client for another process of the same API. */
  at(baseUrl: string): HttpClient {
    return new HttpClient(baseUrl, this.answers, this.headers);
  }

  get<Body = Record<string, unknown>>(path: string, options?: RequestOptions): Promise<Answer<Body>> {
    return this.send('GET', path, options);
  }

  post<Body = Record<string, unknown>>(path: string, options?: RequestOptions): Promise<Answer<Body>> {
    return this.send('POST', path, options);
  }

  put<Body = Record<string, unknown>>(path: string, options?: RequestOptions): Promise<Answer<Body>> {
    return this.send('PUT', path, options);
  }

  delete<Body = Record<string, unknown>>(path: string, options?: RequestOptions): Promise<Answer<Body>> {
    return this.send('DELETE', path, options);
  }

  private async send<Body>(method: Method, path: string, options: RequestOptions = {}): Promise<Answer<Body>> {
    const request = supertest(this.baseUrl)[method.toLowerCase() as Lowercase<Method>](path);
    const headers: RequestOptions['headers'] = { ...this.headers, ...options.headers };
    if (options.query !== undefined) request.query(options.query);
    if (options.body !== undefined) request.type('application/json').send(options.body);
    for (const [name, value] of Object.entries(headers)) {
      if (value === '') request.unset(name);
      else request.set(name, value as string);
    }
    const response = await request.buffer(true).parse((message, done) => {
      const parts: Buffer[] = [];
      message.on('data', (part: Buffer) => parts.push(part));
      message.on('end', () => done(null, Buffer.concat(parts).toString()));
    });
    const answer = {
      status: response.status,
      headers: response.headers as Record<string, string | undefined>,
      body: JSON.parse(response.body as string) as Record<string, unknown>,
    };
    this.answers.check(method, path.split('?')[0] ?? path, answer);
    return answer as Answer<Body>;
  }
}
