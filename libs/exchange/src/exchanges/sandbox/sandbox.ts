import type { CallLimit } from '../../transport/call-limit.js';
import {
  type Connector,
  type ConnectorContext,
  type ExchangeDeclaration,
} from '../../declaration/exchange-declaration.js';
import type { ExchangeSession } from '../../port/exchange.port.js';
import { ListReader } from '../../transport/list-reader.js';
import { sandboxAuthorization } from './sandbox-authorization.js';
import { SandboxClient } from './sandbox-client.js';
import { SandboxDeposits } from './sandbox-deposits.js';
import { sandboxErrors } from './sandbox-errors.js';
import { SandboxHistory } from './sandbox-history.js';
import { networkNames } from './sandbox-networks.js';
import { sandboxNotices } from './sandbox-notices.js';
import { sandboxPairs } from './sandbox-pairs.js';
import { readBalances, readIdentity, readKeyInfo } from './sandbox-responses.js';
import { SandboxWithdrawals } from './sandbox-withdrawals.js';

/** Path below the address of the sandbox exchange. */
const PARTNER_API = '/partner/v1';
/** The revision of the connector, which we increase when its mappings change. */
const REVISION = 1;

/** docs/sandbox.md: `rate_limited` comes with 429 and `Retry-After`, at most a minute. */
const sandboxLimits: readonly CallLimit[] = [
  { means: 'rate_limit', of: 'credential', status: 429, text: '"rate_limited"', periodMs: 1_000, maxMs: 60_000 },
];

/**
 * The partner API of the sandbox exchange: plain HTTP with a bearer token, and every kind of verification. The
 * amount of a withdrawal is what arrives, and the fee is added. A withdrawal carries our reference and a deadline,
 * after which the exchange does not book it. However often the request arrives, the exchange books it at most once
 * (class `idempotent`).
 */
export const sandbox: ExchangeDeclaration = {
  spec: {
    id: 'sandbox',
    name: 'Sandbox',
    docsUrl: 'docs/sandbox.md',
    credentialFields: ['apiKey'],
    keyUrl: 'docs/sandbox.md',
    access: ['read', 'deposit', 'withdrawal'],
    notOffered: { trade: 'The partner API has no orders.' },
    withdrawals: { class: 'idempotent', amountIs: 'net', keepsDeadline: true, evidence: 'sandbox.md' },
    permissionAccess: { read: ['read'], withdraw: ['withdrawal'] },
    hasSandbox: true,
    sandboxOnly: true,
  },
  networkNames,
  errors: sandboxErrors,
  limits: sandboxLimits,
  authorization: sandboxAuthorization,
  pairs: sandboxPairs,
  notices: sandboxNotices,
  load: (baseUrl, context) => connect(`${baseUrl}${PARTNER_API}`, context),
};

function connect(
  baseUrl: string,
  { transport, clock, config, meter, budgets, unreadable }: ConnectorContext,
): Connector {
  const { values: limits, constants } = config;
  const budget = budgets.at({ exchange: sandbox.spec.id, baseUrl });
  return {
    open: ({ apiKey: token }, credentialId) => {
      const client = new SandboxClient({
        exchange: sandbox.spec.id,
        baseUrl,
        token,
        queue: budget.queueOf(credentialId),
        transport,
        errors: sandboxErrors,
        limits: sandboxLimits,
        meter,
        clock,
        lists: new ListReader(sandbox.spec.id, unreadable),
        timeoutMs: limits.EXCHANGE_TIMEOUT_MS,
        submitTimeoutMs: limits.EXCHANGE_SUBMIT_TIMEOUT_MS,
        // The deadline of a withdrawal is this long after its preparation. The exchange must still book a withdrawal
        // that is sent when the lease of its attempt is nearly over, so the deadline includes the lease and the
        // submission time-out.
        validForMs: limits.EXCHANGE_SUBMIT_TIMEOUT_MS + constants.WITHDRAWAL_LEASE_MS,
      });
      return sessionOf(client);
    },
  };
}

function sessionOf(client: SandboxClient): ExchangeSession {
  const withdrawals = new SandboxWithdrawals(client);
  return {
    exchange: client.exchange,
    connectorVersion: `${client.exchange} ${REVISION} (partner v1)`,
    asksInParallel: false,
    balances: () => client.get('/balances', {}, (body) => readBalances(body, client.lists)),
    keyInfo: () => client.get('/account', {}, readKeyInfo),
    assetNames: () => withdrawals.assetNames(),
    withdrawals,
    history: new SandboxHistory(client),
    deposits: new SandboxDeposits(client),
    identity: { read: () => client.get('/identity', {}, readIdentity) },
  };
}
