import type { ServerResponse } from 'node:http';
import { loadConfig } from '#platform/config';
import { Metrics } from '#platform/metrics';
import { Authorizations } from '../authorization/authorizations.service.js';
import { ManualClock } from './manual-clock.js';
import { StubExchange } from './stub-exchange.js';

export const ACCESS_TOKEN = 'canary-access-token';
export const REFRESH_TOKEN = 'canary-refresh-token';
export const COINBASE_SCOPE = 'wallet:accounts:read wallet:transactions:read';

/** coinbase-app/oauth2-integration/reference: the response of the token endpoint. */
export const issuedByCoinbase = {
  access_token: ACCESS_TOKEN,
  token_type: 'bearer',
  expires_in: 3_600,
  refresh_token: REFRESH_TOKEN,
  scope: COINBASE_SCOPE,
};

/** Answers by hand, where a status or a body that is no JSON matters. */
export function respond(response: ServerResponse, status: number, body: unknown): undefined {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

/** Authorizations at an exchange that answers as a test says. */
export class AuthorizationHarness {
  readonly clock = new ManualClock();
  /** Of each test, as its authorizations. */
  metrics: Metrics;
  authorizations: Authorizations;

  private constructor(readonly stub: StubExchange) {}

  static async start(): Promise<AuthorizationHarness> {
    return new AuthorizationHarness(await StubExchange.start());
  }

  /** Others than those of the test; whoever makes them closes them. */
  with(settings: Record<string, string> = {}): Authorizations {
    const config = loadConfig({ SANDBOX_URL: this.stub.url, EXCHANGE_TIMEOUT_MS: '300', ...settings });
    return new Authorizations(config, this.clock, this.metrics);
  }

  /** Before each test: nothing was asked, and Coinbase issues tokens. */
  begin(): void {
    this.metrics = new Metrics();
    this.authorizations = this.with();
    this.stub.calls.length = 0;
    this.stub.on('POST /oauth2/token', () => issuedByCoinbase);
  }

  async end(): Promise<void> {
    await this.authorizations.onApplicationShutdown();
  }
}
