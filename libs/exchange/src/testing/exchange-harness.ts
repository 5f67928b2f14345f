import { Clock } from '#platform/clock';
import { loadConfig } from '#platform/config';
import { Secret } from '#platform/crypto';
import { Metrics } from '#platform/metrics';
import type { ExchangeSession, WithdrawalCapability } from '../port/exchange.port.js';
import type { Exchanges } from '../registry/exchanges.service.js';
import type { SessionTarget } from '../port/session-target.js';
import type { TradingCapability } from '../port/trading.port.js';
import { createExchanges } from './create-exchanges.js';
import { speakKraken } from './kraken-documentation.js';
import { speakSandbox } from './sandbox-documentation.js';
import { StubExchange } from './stub-exchange.js';

/** Real sessions over real HTTP, with a stub as the exchange. */
export class ExchangeHarness {
  private opened = 0;

  private constructor(
    readonly stub: StubExchange,
    readonly exchanges: Exchanges,
    readonly metrics: Metrics,
  ) {}

  static async start(settings: Record<string, string> = {}, clock: Clock = new Clock()): Promise<ExchangeHarness> {
    const stub = await StubExchange.start();
    speakKraken(stub);
    speakSandbox(stub);
    const config = loadConfig({
      SANDBOX_URL: stub.url,
      EXCHANGE_CALLS_PER_SECOND: '1000',
      EXCHANGE_CALLS_BURST: '1000',
      ...settings,
    });
    const metrics = new Metrics();
    return new ExchangeHarness(stub, createExchanges(config, { clock, metrics }), metrics);
  }

  /** The target of a new wallet, which no other test uses. */
  target(rest: Partial<SessionTarget> = {}): SessionTarget {
    return {
      exchange: 'kraken',
      mode: 'test',
      credentialId: `credential ${++this.opened}`,
      credentials: { apiKey: new Secret('key'), apiSecret: new Secret('c2VjcmV0') },
      ...rest,
    };
  }

  open(exchange = 'kraken'): Promise<ExchangeSession> {
    return this.exchanges.open(this.target({ exchange }));
  }

  async withdrawals(exchange = 'kraken'): Promise<WithdrawalCapability> {
    const { withdrawals } = await this.open(exchange);
    if (withdrawals === undefined) throw new Error('the session has no withdrawals');
    return withdrawals;
  }

  async trading(exchange = 'kraken'): Promise<TradingCapability> {
    const { trading } = await this.open(exchange);
    if (trading === undefined) throw new Error('the session has no trading');
    return trading;
  }

  async close(): Promise<void> {
    await this.exchanges.onApplicationShutdown();
    await this.stub.close();
  }
}
