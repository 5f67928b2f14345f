import {
  Transport,
  type HttpRequest,
  type HttpResponse,
  type ResponseHeaders,
  type SendOptions,
} from '../transport/transport.js';
import type { ReadingCalls } from './documented-forms.js';

/** A request that was sent, and its response. */
export interface ObservedCall {
  /** Method and path, with `{…}` for the parts of the path that differ. */
  readonly route: string;
  /** Method, host and path as they were sent, without the query. */
  readonly sentTo: string;
  readonly parameters: Readonly<Record<string, string>>;
  /** null = there was no response. */
  status: number | null;
  headers: ResponseHeaders;
  body: string;
  /** Our time when the response was read, and the milliseconds from the request until then. */
  readAtMs: number;
  tookMs: number;
}

/** The request is not one of the exchange's reading calls, so nothing was sent. */
export class NotAReadingCall extends Error {
  override readonly name = 'NotAReadingCall';

  constructor(readonly request: string) {
    super(`${request} is not a reading call of this connector; nothing was sent`);
  }
}

/**
 * A transport that sends only the documented reading calls of one exchange, and records them with their responses. It
 * refuses every other request before a connection is opened: submissions, the creation of addresses, and routes or
 * parameters that the documentation of the reading calls does not have.
 */
export class RecordingTransport extends Transport {
  readonly calls: ObservedCall[] = [];
  /** The requests that were not sent, because they are no reading calls. */
  readonly refused: string[] = [];

  constructor(
    limits: ConstructorParameters<typeof Transport>[0],
    private readonly readings: ReadingCalls,
    private readonly now: () => number,
  ) {
    super(limits);
  }

  override async send(request: HttpRequest, options: SendOptions): Promise<HttpResponse> {
    const { route, sentTo, parameters } = this.allowed(request);
    const began = performance.now();
    const call: ObservedCall = {
      route,
      sentTo,
      parameters,
      status: null,
      headers: {},
      body: '',
      readAtMs: 0,
      tookMs: 0,
    };
    this.calls.push(call);
    try {
      const { newConnection = false, ...rest } = options;
      const observed = { ...rest, onHeaders: (headers: ResponseHeaders) => void (call.headers = headers) };
      const once = { ...observed, beforeWrite: () => undefined };
      const response = newConnection
        ? await super.sendOnce(request.url, () => Promise.resolve(request), once)
        : await super.send(request, observed);
      call.status = response.status;
      call.body = response.body;
      return response;
    } finally {
      call.tookMs = performance.now() - began;
      call.readAtMs = this.now();
    }
  }

  /** Only submissions use a connection of their own. */
  override sendOnce(address: string): Promise<HttpResponse> {
    return Promise.reject(this.refuse(`a submission to ${new URL(address).host}`));
  }

  private allowed(request: HttpRequest): Pick<ObservedCall, 'route' | 'sentTo' | 'parameters'> {
    const { host, pathname } = new URL(request.url);
    const sent = `${request.method} ${pathname}`;
    const [route, reading] = Object.entries(this.readings.calls).find(([known]) => isRoute(known, sent)) ?? [];
    if (route === undefined || reading === undefined) throw this.refuse(sent);
    const parameters = parametersOf(request);
    const other = Object.keys(parameters).find((name) => !reading.parameters.includes(name));
    if (other !== undefined) throw this.refuse(`${sent} with the parameter ${other}`);
    return { route, sentTo: `${request.method} ${host}${pathname}`, parameters };
  }

  private refuse(request: string): NotAReadingCall {
    this.refused.push(request);
    return new NotAReadingCall(request);
  }
}

/** Whether a request belongs to a route. A part of the route in braces stands for any text. */
export function isRoute(route: string, sent: string): boolean {
  const parts = sent.split('/');
  const known = route.split('/');
  return (
    known.length === parts.length &&
    known.every((part, at) => (part.startsWith('{') ? parts[at] !== '' : part === parts[at]))
  );
}

/** The parameters in the query, in the body, and in a header that contains JSON as base64. */
function parametersOf({ url, body = '', headers }: HttpRequest): Record<string, string> {
  const members = [body, ...Object.values(headers).map(decoded)].flatMap((text) =>
    Object.entries(jsonObject(text) ?? {}),
  );
  const form = jsonObject(body) === null ? [...new URLSearchParams(body)] : [];
  const texts = members.map(([name, value]): [string, string] => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  return Object.fromEntries([...new URL(url).searchParams, ...form, ...texts]);
}

function decoded(header: string): string {
  return /^[A-Za-z0-9+/]{8,}={0,2}$/.test(header) ? Buffer.from(header, 'base64').toString() : '';
}

function jsonObject(text: string): object | null {
  if (!text.startsWith('{')) return null;
  try {
    return JSON.parse(text) as object;
  } catch {
    return null;
  }
}
