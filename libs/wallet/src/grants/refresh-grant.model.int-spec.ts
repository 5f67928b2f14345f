import fc from 'fast-check';
import type { ProjectIdentity } from '#access';
import { AuthorizationError, ExchangeError, type Authorized, type ExchangeCredentials } from '#exchange';
import { testOverrides } from '#platform/config';
import { grantedWallet, grantOf } from '../testing/granted-wallet.js';
import { authorizedAs } from '../testing/scripted-authorizations.js';
import { SimulatedProcesses } from '../testing/simulated-processes.js';
import { createWalletHarness, type WalletHarness } from '../testing/wallet-harness.js';
import { WalletSessions } from '../sessions/wallet-sessions.service.js';
import type { Wallet } from '../wallets/wallet.entity.js';
import { Wallets } from '../wallets/wallets.service.js';
import { RefreshGrant } from './refresh-grant.js';
import { WalletGrants } from './wallet-grants.service.js';

const LIFE_MS = 3_600_000;
const LEASE_MS = 60_000;
/** GRANT_WAIT_MS in this test. A waiting call polls several times in this time. */
const WAIT_MS = 500;
const RUNS = 60;

/** Removes the running renewals from the memory of a process, as the end of the process does. */
function forget(harness: WalletHarness): void {
  (Reflect.get(harness.get(WalletGrants), 'renewing') as Map<string, unknown>).clear();
}

/** The outcome of the next renewal at the exchange. */
type Fate =
  /** The response arrives. */
  | 'answered'
  /** The exchange renews the tokens, and its response is lost. */
  | 'answer lost'
  /** The request does not arrive at the exchange. */
  | 'not received'
  /** The exchange renews the tokens, and the process that called it dies before the response. */
  | 'crash';

const actions = fc.oneof(
  fc.record({ kind: fc.constant('renew' as const), processes: fc.constantFrom(1, 2) }),
  fc.record({ kind: fc.constant('use' as const), processes: fc.constantFrom(1, 2) }),
  fc.record({
    kind: fc.constant('fate' as const),
    fate: fc.constantFrom<Fate>('answered', 'answer lost', 'not received', 'crash'),
  }),
  fc.record({ kind: fc.constantFrom('expire' as const, 'wait' as const, 'revoke' as const) }),
);
type Action = typeof actions extends fc.Arbitrary<infer A> ? A : never;

/**
 * Sequences that every run tests: a process dies during a renewal, and the other process stops waiting before the lease
 * of the dead process ends.
 */
const found: [Action[]][] = [
  [
    [
      { kind: 'expire' },
      { kind: 'fate', fate: 'crash' },
      { kind: 'use', processes: 2 },
      { kind: 'expire' },
      { kind: 'revoke' },
    ],
  ],
  [[{ kind: 'expire' }, { kind: 'fate', fate: 'crash' }, { kind: 'use', processes: 2 }, { kind: 'wait' }]],
];

/** An exchange that accepts each refresh token once, and records which of its tokens have arrived. */
class RotatingExchange {
  fate: Fate = 'answered';
  readonly violations: string[] = [];
  /** null = revoked. */
  private refreshToken: string | null = 'refresh-0';
  private accessToken: string | null = 'access-0';
  private accessExpiresAt: Date;
  private arrived = 'refresh-0';
  private issued = 0;
  private readonly shown = new Set<string>();

  constructor(
    private readonly now: () => Date,
    private readonly endProcess: () => void,
  ) {
    this.accessExpiresAt = this.inOneLife();
  }

  /** Whether the account can be used with the tokens that have arrived. */
  get isAlive(): boolean {
    return this.refreshToken === this.arrived;
  }

  isRevoked = false;

  revoke(): void {
    this.isRevoked = true;
    this.refreshToken = null;
    this.accessToken = null;
  }

  check({ apiKey }: ExchangeCredentials): void {
    if (apiKey.reveal() === this.accessToken && this.now() < this.accessExpiresAt) return;
    throw new ExchangeError('credentials_invalid', 'kraken', 'token refused');
  }

  refresh(token: string): Authorized | Promise<Authorized> {
    const fate = this.fate;
    this.fate = 'answered';
    if (fate === 'not received') throw new AuthorizationError('unavailable', 'kraken', 'not received');
    if (this.shown.has(token)) this.violations.push(`${token} was shown again`);
    const answer = this.rotate(token);
    if (fate === 'answered') {
      this.shown.add(token);
      return this.arrive(answer);
    }
    if (fate === 'answer lost') throw new AuthorizationError('unavailable', 'kraken', 'the answer was lost');
    this.endProcess();
    return new Promise(() => undefined);
  }

  private rotate(token: string): Authorized | null {
    if (token !== this.refreshToken) return null;
    const name = String(++this.issued);
    this.refreshToken = `refresh-${name}`;
    this.accessToken = `access-${name}`;
    this.accessExpiresAt = this.inOneLife();
    return authorizedAs(name, { accessExpiresAt: this.accessExpiresAt });
  }

  private arrive(answer: Authorized | null): Authorized {
    if (answer?.grant == null) throw new AuthorizationError('grant_ended', 'kraken', 'invalid_grant');
    this.arrived = answer.grant.refreshToken.reveal();
    return answer;
  }

  private inOneLife(): Date {
    return new Date(this.now().getTime() + LIFE_MS);
  }
}

describe('the renewal of a grant, with any events in any order', () => {
  const clock = new SimulatedProcesses(WAIT_MS);
  let processes: [WalletHarness, WalletHarness];
  let project: ProjectIdentity;

  beforeAll(async () => {
    const settings = testOverrides({ GRANT_WAIT_MS: WAIT_MS });
    const harness = await createWalletHarness({ clock, settings });
    processes = [harness, await createWalletHarness({ beside: harness, settings })];
    project = await harness.project('test');
  });
  afterAll(async () => {
    for (const harness of [...processes].reverse()) await harness.close();
  });

  async function begin(): Promise<{ exchange: RotatingExchange; wallet: Wallet }> {
    const [harness] = processes;
    const exchange = new RotatingExchange(
      () => clock.now(),
      () => clock.endProcess(),
    );
    harness.authorizations.onRefresh = async (token) => {
      await clock.untilOthersWait();
      return exchange.refresh(token);
    };
    harness.exchanges.reset();
    const { keyInfo } = harness.exchanges;
    harness.exchanges.balances = ({ credentials }) => {
      exchange.check(credentials);
      return [];
    };
    harness.exchanges.keyInfo = (target) => {
      exchange.check(target.credentials);
      return keyInfo(target);
    };
    return { exchange, wallet: await grantedWallet(harness, project, { name: '0', accessLivesMs: LIFE_MS }) };
  }

  async function stateOf({ externalId: externalWalletId }: Wallet): Promise<'valid' | 'flagged' | 'deleted'> {
    const wallet = await processes[0].get(Wallets).find(project, externalWalletId);
    if (wallet === null) return 'deleted';
    return wallet.invalidApi ? 'flagged' : 'valid';
  }

  const use = (harness: WalletHarness, wallet: Wallet): Promise<unknown> =>
    harness.get(WalletSessions).use(wallet, { autoDelete: true }, (session) => session.balances());

  async function renew(harness: WalletHarness, wallet: Wallet): Promise<void> {
    const grant = await grantOf(harness, wallet);
    if (grant !== null) await harness.get(RefreshGrant).execute(wallet.id, grant.revision);
  }

  /** Runs `work` in `count` processes at the same time, until each of them has finished or died. */
  const together = (count: number, work: (harness: WalletHarness) => Promise<unknown>) =>
    clock.run(
      processes.slice(0, count).map((harness) => ({ work: () => work(harness), forget: () => forget(harness) })),
    );

  async function act(action: Action, exchange: RotatingExchange, wallet: Wallet): Promise<void> {
    switch (action.kind) {
      case 'fate':
        exchange.fate = action.fate;
        return;
      case 'revoke':
        return exchange.revoke();
      case 'expire':
        return clock.advance(LIFE_MS);
      case 'wait':
        return clock.advance(LEASE_MS);
      case 'renew':
        await together(action.processes, (harness) => renew(harness, wallet));
        return;
      case 'use':
        await together(action.processes, (harness) => use(harness, wallet));
    }
  }

  const rules =
    'uses each refresh token once unless a response was lost, flags the wallet when the grant has ended, and ' +
    'deletes the wallet only when the owner has revoked the grant';
  it(
    rules,
    async () => {
      const sequences = fc.array(actions, { minLength: 1, maxLength: 12 });
      await fc.assert(
        fc.asyncProperty(sequences, async (sequence) => {
          const { exchange, wallet } = await begin();
          for (const action of sequence) {
            await act(action, exchange, wallet);
            expect(exchange.violations).toEqual([]);
            const state = await stateOf(wallet);
            if (exchange.isAlive) expect(state).toBe('valid');
            if (!exchange.isRevoked) expect(state).not.toBe('deleted');
          }
          // After all actions, the wallet either can be used or is flagged.
          exchange.fate = 'answered';
          clock.advance(LIFE_MS);
          for (let call = 0; call < 2; call++) {
            const [status] = await together(1, (harness) => use(harness, wallet));
            const state = await stateOf(wallet);
            const states = exchange.isAlive ? ['valid'] : exchange.isRevoked ? ['flagged', 'deleted'] : ['flagged'];
            expect([status, states]).toEqual([
              exchange.isAlive ? 'fulfilled' : 'rejected',
              expect.arrayContaining([state]),
            ]);
          }
          expect(exchange.violations).toEqual([]);
        }),
        { numRuns: RUNS, examples: found },
      );
    },
    300_000,
  );
});
