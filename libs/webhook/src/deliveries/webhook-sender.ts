import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Agent, request, type Dispatcher } from 'undici';
import { Config, VERSION } from '#platform/config';
import { publicLookup } from '../targets/public-lookup.js';
import { TargetRefused } from '../targets/target-refused.js';
import { Targets } from '../targets/targets.js';

/** Maximum number of bytes of a response body that are read and stored. The rest is never read. */
const RESPONSE_BODY_BYTES = 4_096;
/** How long the body of a response is read after its head. The part that arrives later is never read. */
const RESPONSE_BODY_MS = 1_000;
/** Maximum number of bytes of the head of a response. A longer head is an error. */
const RESPONSE_HEAD_BYTES = 16_384;
/** Maximum number of response headers that are stored, and of characters of each. */
const HEADERS_STORED = 50;
const HEADER_STORED_LENGTH = 512;
const CONNECT_TIMEOUT_MS = 5_000;
/**
 * How long an idle connection is kept. A connection that is kept longer would miss a change of the host's IP address.
 */
const KEEP_ALIVE_MS = 4_000;

export interface WebhookRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** The outcome of a request. */
export interface WebhookResult {
  status: number | null;
  headers: Record<string, string> | null;
  body: string | null;
  /** Why the attempt has failed; null = the endpoint has responded with a status from 200 to 299. */
  error: string | null;
}

/** Sends one request to an endpoint. It follows no redirect, and reaches public addresses only. */
@Injectable()
export class WebhookSender implements OnApplicationShutdown {
  private readonly agent: Agent;

  constructor(
    private readonly targets: Targets,
    private readonly config: Config,
  ) {
    this.agent = new Agent({
      connect: { timeout: CONNECT_TIMEOUT_MS, ...(targets.allowsPrivate ? {} : { lookup: publicLookup() }) },
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MS,
      maxHeaderSize: RESPONSE_HEAD_BYTES,
      pipelining: 1,
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.agent.destroy();
  }

  /** Sends the request within WEBHOOK_TIMEOUT_MS. Never throws: a failure is a result, too. */
  async send({ url, headers, body }: WebhookRequest): Promise<WebhookResult> {
    const timeoutMs = this.config.constants.WEBHOOK_TIMEOUT_MS;
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      this.targets.check(url);
      const response = await request(url, {
        method: 'POST',
        dispatcher: this.agent,
        headers: { ...headers, 'user-agent': `Causeway/${VERSION}` },
        body,
        signal,
      });
      return await toResult(response);
    } catch (error) {
      const reason = signal.aborted ? `no response within ${timeoutMs / 1_000} seconds` : reasonOf(error);
      return { status: null, headers: null, body: null, error: reason };
    }
  }
}

/** The status alone decides whether the attempt has succeeded. The body may be missing, endless or broken. */
async function toResult({ statusCode: status, headers, body }: Dispatcher.ResponseData): Promise<WebhookResult> {
  const text = await readStart(body);
  const isSuccess = status >= 200 && status < 300;
  const isRedirect = status >= 300 && status < 400;
  const refusal = isRedirect ? `status ${status}: redirects are not followed` : `status ${status}`;
  return { status, headers: storableHeaders(headers), body: text, error: isSuccess ? null : refusal };
}

async function readStart(body: Dispatcher.ResponseData['body']): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  const timer = setTimeout(() => body.destroy(), RESPONSE_BODY_MS);
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= RESPONSE_BODY_BYTES) break;
    }
  } catch {
    // The endpoint has ended the connection within the body, or sends the body too slowly. The received part is stored.
  } finally {
    clearTimeout(timer);
  }
  return storable(Buffer.concat(chunks).subarray(0, RESPONSE_BODY_BYTES).toString('utf8'));
}

function storableHeaders(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  const entries = Object.entries(headers)
    .slice(0, HEADERS_STORED)
    .map(([name, value]) => [name, storable(String(value)).slice(0, HEADER_STORED_LENGTH)] as const);
  return Object.fromEntries(entries);
}

/** Removes NUL, which PostgreSQL does not store. */
function storable(text: string): string {
  return text.replaceAll('\0', '');
}

function reasonOf(error: unknown): string {
  for (const cause of causesOf(error)) if (cause instanceof TargetRefused) return cause.message;
  const { message, code } = error as { message?: string; code?: string };
  return `no response: ${[code, message].filter(Boolean).join(': ').slice(0, HEADER_STORED_LENGTH)}`;
}

function causesOf(error: unknown): unknown[] {
  if (!(error instanceof Error)) return [error];
  const nested = error instanceof AggregateError ? (error.errors as unknown[]) : [];
  return [error, ...[error.cause, ...nested].filter((cause) => cause !== undefined).flatMap(causesOf)];
}
