import { NoResponse, type HttpResponse, type Transport } from '#exchange';
import { EnrichmentApiError, EnrichmentTimeout } from './enrichment.errors.js';

/** Reasons of a failed call that mean a time-out. */
const TIMEOUTS = ['timeout', 'UND_ERR_CONNECT_TIMEOUT'];

/** The address of a chain API, and its time limit. */
export interface ChainEndpoint {
  /** Our id of the network. */
  readonly network: string;
  /** Base address. It may contain a key, so it is neither logged nor shown. */
  readonly url: string;
  readonly timeoutMs: number;
  readonly transport: Transport;
}

/** The calls of one look-up. All of them share one time limit. */
export class ChainCalls {
  private readonly deadline: number;

  constructor(private readonly endpoint: ChainEndpoint) {
    this.deadline = performance.now() + endpoint.timeoutMs;
  }

  /** @param path is appended to the base address. */
  get(path: string): Promise<HttpResponse> {
    const url = new URL(this.endpoint.url);
    url.pathname = `${url.pathname.replace(/\/$/, '')}${path}`;
    return this.send('GET', url);
  }

  post(body: object): Promise<HttpResponse> {
    return this.send('POST', new URL(this.endpoint.url), JSON.stringify(body));
  }

  /**
   * Parses a JSON response with `read`.
   * @throws EnrichmentApiError also when `read` throws.
   */
  read<T>(answer: HttpResponse, read: (body: unknown) => T): T {
    try {
      if (answer.status !== 200) throw new Error(`HTTP ${answer.status}`);
      return read(JSON.parse(answer.body));
    } catch (error) {
      throw new EnrichmentApiError(this.endpoint.network, error);
    }
  }

  private async send(method: 'GET' | 'POST', url: URL, body?: string): Promise<HttpResponse> {
    const { network, transport } = this.endpoint;
    const timeoutMs = Math.ceil(this.deadline - performance.now());
    if (timeoutMs <= 0) throw new EnrichmentTimeout(network);
    try {
      return await transport.send({ method, url: url.href, headers: headersFor(url, body), body }, { timeoutMs });
    } catch (error) {
      if (error instanceof NoResponse && TIMEOUTS.includes(error.reason)) throw new EnrichmentTimeout(network, error);
      throw new EnrichmentApiError(network, error);
    }
  }
}

function headersFor({ username, password }: URL, body?: string): Record<string, string> {
  const login = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64');
  return {
    accept: 'application/json',
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(username !== '' && { authorization: `Basic ${login}` }),
  };
}
