import type { Exchanges, ExchangeSession } from '#exchange';
import { createExchanges } from '#exchange/testing';
import { loadConfig } from '#platform/config';
import { RunningClock } from '#platform/testing';
import { startSandboxExchange, type SandboxExchange } from '../../../sandbox-exchange/src/sandbox-exchange.js';
import { Sandbox, type SandboxAccount } from './sandbox.js';
import { credentialsOf, type SignedExchange } from './signed-exchanges.js';

/** Faults after the exchange has executed a submission: Causeway gets no response that shows the execution. */
export const DURING_OUTAGE = [
  'answer_lost',
  'error_after',
  'malformed_after',
  'empty_after',
  'result_null_after',
  'hang_after',
];

export interface OpenedAccount extends SandboxAccount {
  session: ExchangeSession;
}

/** A sandbox exchange, and the connector of one exchange with sessions there. */
export class SignedHarness {
  readonly sandbox: Sandbox;
  private opened = 0;

  private constructor(
    readonly facts: SignedExchange,
    readonly clock: RunningClock,
    private readonly exchange: SandboxExchange,
    private readonly exchanges: Exchanges,
  ) {
    this.sandbox = new Sandbox(exchange.url);
  }

  static async start(facts: SignedExchange): Promise<SignedHarness> {
    const clock = new RunningClock();
    const exchange = await startSandboxExchange({ port: 0, now: () => clock.now() });
    const limits = { EXCHANGE_CALLS_PER_SECOND: '1000', EXCHANGE_CALLS_BURST: '1000' };
    const waits = { EXCHANGE_TIMEOUT_MS: '10000', EXCHANGE_SUBMIT_TIMEOUT_MS: '1000' };
    const exchanges = createExchanges(loadConfig({ SANDBOX_URL: exchange.url, ...limits, ...waits }), { clock });
    return new SignedHarness(facts, clock, exchange, exchanges);
  }

  async close(): Promise<void> {
    await this.exchanges.onApplicationShutdown();
    await this.exchange.close();
  }

  sessionOf(account: SandboxAccount, passphrase?: string): Promise<ExchangeSession> {
    return this.exchanges.open({
      exchange: this.facts.id,
      mode: 'test',
      credentialId: `credential ${++this.opened}`,
      credentials: credentialsOf(this.facts, account, passphrase),
    });
  }

  async open(
    balances: Record<string, string> = { BTC: '1', USD: '50000', USDT: '50000', XRP: '100' },
  ): Promise<OpenedAccount> {
    const account = await this.sandbox.open({ balances });
    return { ...account, session: await this.sessionOf(account) };
  }
}
