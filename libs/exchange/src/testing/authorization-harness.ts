import type { ServerResponse } from 'node:http';
import { loadConfig } from '#platform/config';
import { Metrics } from '#platform/metrics';
import type { Authorizations } from '../authorization/authorizations.service.js';
import { createAuthorizations } from './create-exchanges.js';
import { ManualClock } from './manual-clock.js';
import { patientTimeouts } from './request-timeouts.js';
import { StubExchange, type Behaviour } from './stub-exchange.js';

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

/** Sends a response. A body that is a text is sent unchanged; every other body is sent as JSON. */
export function respond(response: ServerResponse, status: number, body: unknown): undefined {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

/** The behaviour of an endpoint that sends a part of its response, and then behaves like `rest`. */
export function respondingInPart(rest: Behaviour): Behaviour {
  return (call, response) => {
    response.writeHead(200, { 'content-length': '999' }).write('{"access');
    return rest(call, response);
  };
}

/** `Authorizations` with a stub exchange that responds as a test defines. */
export class AuthorizationHarness {
  readonly clock = new ManualClock();
  /** The metrics, which are new for each test, like `authorizations`. */
  metrics: Metrics;
  authorizations: Authorizations;

  private constructor(readonly stub: StubExchange) {}

  /** @param otherwise the behaviour of the endpoints for which a test has set none */
  static async start(otherwise: Behaviour): Promise<AuthorizationHarness> {
    const stub = await StubExchange.start();
    stub.otherwise = otherwise;
    return new AuthorizationHarness(stub);
  }

  /** Creates further `Authorizations` with other settings. The caller closes them. */
  with(settings: Record<string, string> = {}): Authorizations {
    const config = loadConfig({ SANDBOX_URL: this.stub.url, ...patientTimeouts, ...settings });
    return createAuthorizations(config, { clock: this.clock, metrics: this.metrics });
  }

  /** Runs before each test: clears the recorded calls, and lets Coinbase issue tokens. */
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
