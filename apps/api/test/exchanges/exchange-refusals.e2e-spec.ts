import {
  contractSubjects,
  declaredExchanges,
  documentedFailures,
  StubExchange,
  type FailureName,
} from '#exchange/testing';
import type { Secret } from '#platform/crypto';
import { refusalOf } from '../support/causeway-client.js';
import { PATIENT, TestApp, type TestProjectWithClient } from '../support/test-app.js';

interface ExpectedResponse {
  status: number;
  code: string;
  reasons: string[];
  /** A part of the message, which names what to do. */
  text: string;
}

const PROVIDER = 'WITHDRAWAL_PROVIDER_ERROR';

/** The response of the API for each failure. What lasts until a person changes something is not a 502. */
const responses: Readonly<Record<FailureName, ExpectedResponse>> = {
  location_blocked: { status: 422, code: PROVIDER, reasons: ['location_blocked'], text: 'does not serve the country' },
  address_blocked: { status: 422, code: PROVIDER, reasons: ['address_blocked'], text: 'use another address' },
  firewall: { status: 502, code: PROVIDER, reasons: ['firewall'], text: 'A firewall before' },
  maintenance: { status: 502, code: PROVIDER, reasons: ['maintenance'], text: 'is under maintenance' },
  banned: { status: 502, code: PROVIDER, reasons: ['banned'], text: 'has banned the calls of this installation' },
  ip_not_allowed: { status: 422, code: PROVIDER, reasons: ['ip_not_allowed'], text: 'ipPool to its allow-list' },
  key_expired: { status: 400, code: 'WALLET_INVALID_CREDENTIALS', reasons: ['expired'], text: 'the key has expired' },
  permission_missing: {
    status: 422,
    code: PROVIDER,
    text: 'a permission',
    reasons: ['permission_missing', 'key_ip_or_permission'],
  },
  country_not_served: {
    status: 422,
    code: PROVIDER,
    reasons: ['country_not_served'],
    text: 'in the country of the account',
  },
};

const live = Object.values(declaredExchanges).filter(({ liveUrl }) => liveUrl !== undefined);
const subjects = await contractSubjects(live);

/** Live projects call a server that refuses as the exchanges, and the networks before them, are documented to do. */
describe('a refusal of an exchange', () => {
  let app: TestApp;
  let project: TestProjectWithClient;
  let servers: ReadonlyMap<string, StubExchange>;

  beforeAll(async () => {
    servers = new Map(await Promise.all(live.map(async ({ spec }) => [spec.id, await StubExchange.start()] as const)));
    const urls = [...servers].map(([id, { url }]) => [`EXCHANGE_${id.toUpperCase()}_URL`, url] as const);
    app = await TestApp.create({ env: { ...PATIENT, ...Object.fromEntries(urls) } });
    project = await app.project({ mode: 'live' });
  });
  afterAll(async () => {
    await app.close();
    for (const server of servers.values()) await server.close();
  });

  it.each(live.map(({ spec }) => spec.id))(
    'of %s has the status, the code, the reason and the remedy of its kind',
    async (id) => {
      const credentials = subjects.find(({ declaration }) => declaration.spec.id === id)?.contract.credentials[0];
      if (credentials === undefined) throw new Error(`${id} has no contract`);
      const secrets = Object.entries(credentials) as [string, Secret][];
      const plain = Object.fromEntries(secrets.map(([field, secret]) => [field, secret.reveal()])) as {
        apiKey: string;
      };
      for (const [count, { name, reply, retryAfterMs }] of documentedFailures(id).entries()) {
        const server = servers.get(id);
        if (server === undefined) throw new Error(`${id} has no server`);
        server.otherwise = (_call, response) => void response.writeHead(reply.status, reply.headers).end(reply.body);
        const { causeway } = app.clientsOf(project, `${id}-${count}`);
        const refusal = await refusalOf(causeway.connectWallet({ exchange: id, ...plain }));
        const { status, code, reasons, text } = responses[name];
        const { reason } = (refusal.result ?? {}) as { reason?: string };
        const shown = { status: refusal.status, code: refusal.code, reason };
        expect({ name, body: reply.body, ...shown }).toEqual({
          name,
          body: reply.body,
          status,
          code,
          reason: reasons.find((one) => one === reason) ?? reasons,
        });
        expect(refusal.message).toContain(text);
        if (retryAfterMs !== undefined) expect(refusal.retryAfterMs).toBe(retryAfterMs);
      }
    },
  );
});
