import type { ExchangeSession } from '#exchange';
import { ContractStub, createExchanges, orderContracts, type Reply, type SampleOrder } from '#exchange/testing';
import { Amount } from '#money';
import { Clock } from '#platform/clock';
import { loadConfig, type Config } from '#platform/config';
import type { DatabaseTime } from '#platform/database';
import { pino } from 'pino';
import { Wallet, type WalletSessions } from '#wallet';
import type { Order } from '../orders/order.entity.js';
import { MemoryOrders, memoryOrderPorts, orderUseCasesOver, type OrderUseCases } from './memory/index.js';
import { BTC_USD } from './pairs.js';

/** The clock of a test. Sleeping takes no time. */
class SkippingClock extends Clock {
  private skippedMs = 0;

  override now(): Date {
    return new Date(Date.now() + this.skippedMs);
  }

  override sleep(ms: number): Promise<void> {
    this.skippedMs += ms;
    return Promise.resolve();
  }
}

/** An answer to the submission of an order: the documented reply, or a connection that breaks. */
export type OrderAnswer = Reply | 'broken connection';

const KEY = 'key-1';

/**
 * The real use cases and the real connector, with an exchange that speaks as documented and lies about orders. Its
 * lists show a new order as late as `lagMs`.
 */
export class LyingExchange {
  /** Every order that the exchange has executed. */
  readonly book: SampleOrder[] = [];
  private readonly clock = new SkippingClock();
  private readonly table = new MemoryOrders();

  private constructor(
    readonly exchange: string,
    private readonly stub: ContractStub,
    private readonly config: Config,
    private readonly lagMs: number,
  ) {}

  /** Runs `work` with the exchange, and closes its connections. */
  static async run(
    { exchange, lagMs }: { exchange: string; lagMs: number },
    work: (lying: LyingExchange) => Promise<void>,
  ): Promise<void> {
    const contract = orderContracts[exchange];
    if (contract === undefined) throw new Error(`no contract of ${exchange}`);
    const stub = await ContractStub.start(contract);
    const config = loadConfig({
      ...contract.settings,
      TRADING_EXCHANGES: 'all',
      [`EXCHANGE_${exchange.toUpperCase()}_URL`]: stub.url,
      EXCHANGE_CALLS_PER_SECOND: '1000',
      EXCHANGE_CALLS_BURST: '1000',
    });
    const exchanges = createExchanges(config);
    const [credentials] = contract.credentials;
    const lying = new LyingExchange(exchange, stub, config, lagMs);
    try {
      const session = await exchanges.open({ exchange, mode: 'live', credentialId: 'lying', credentials });
      lying.useCases = lying.useCasesWith(session);
      lying.list();
      await work(lying);
    } finally {
      await exchanges.onApplicationShutdown();
      await stub.close();
    }
  }

  private useCases: OrderUseCases;

  /** Sets the answer to all later submissions. @param isExecuted whether the exchange executes them all the same */
  answer(answer: OrderAnswer, { isExecuted }: { isExecuted: boolean }): void {
    const { orders } = this.contract;
    this.stub.on(orders.route, (_call, response) => {
      if (isExecuted) this.execute();
      if (answer === 'broken connection') response.destroy();
      else response.writeHead(answer.status, answer.headers).end(answer.body);
      return undefined;
    });
  }

  /** Places the order of the test under one key. @returns the order, or the error of the call */
  async place(): Promise<Order | Error> {
    const { exchange } = this;
    const project = {
      id: 'project',
      organizationId: 'organization',
      mode: 'live',
      apiKeyId: 'key',
      scopes: [],
    } as const;
    try {
      return await this.useCases.place.execute(
        { ...project, scopes: ['trade'] },
        {
          externalWalletId: 'wallet',
          routeId: `${exchange}:spot`,
          side: 'sell',
          type: null,
          idempotencyKey: KEY,
          volume: Amount.of('0.25'),
          price: Amount.of('2.15'),
        },
      );
    } catch (error) {
      if (error instanceof Error) return error;
      throw error;
    }
  }

  /** The rows of the service. */
  get rows(): readonly Order[] {
    return this.table.all();
  }

  private get contract() {
    const contract = orderContracts[this.exchange];
    if (contract?.orders === undefined) throw new Error(`the contract of ${this.exchange} has no orders`);
    return { ...contract, orders: contract.orders };
  }

  private execute(): void {
    const { orders } = this.contract;
    const row = this.table.all().at(-1);
    if (row === undefined) throw new Error('an order was sent that no row contains');
    this.book.push({
      exchangeId: orders.exchangeIds[0] ?? '',
      clientOrderId: row.clientOrderId,
      at: this.clock.now(),
      side: 'sell',
      state: 'open',
      volume: '0.25',
      limitPrice: '2.15',
      executed: '0',
      averagePrice: '0',
      fee: '0',
      feeAsset: orders.feeAsset,
    });
  }

  /** Makes the exchange's lists show the orders of the book that are older than the lag. */
  private list(): void {
    const { orders } = this.contract;
    for (const route of Object.keys(orders.listing([]))) {
      this.stub.on(route, (call, response) => {
        const shown = this.book.filter(({ at }) => at.getTime() <= this.clock.now().getTime() - this.lagMs);
        const answer = orders.listing(shown)[route];
        const { status, headers, body } =
          typeof answer === 'function' ? answer(call) : (answer ?? { status: 404, body: '' });
        response.writeHead(status, headers).end(body);
        return undefined;
      });
    }
  }

  private useCasesWith(session: ExchangeSession): OrderUseCases {
    const { clock, config, exchange, contract } = this;
    const wallet = Object.assign(new Wallet(), {
      id: 'wallet-row',
      projectId: 'project',
      externalId: 'wallet',
      exchange,
      invalidApi: false,
    });
    const sessions: Pick<WalletSessions, 'use' | 'openVersion'> = {
      use: (_wallet, _options, work) => work(session, 'version 1'),
      openVersion: () => Promise.resolve(session),
    };
    const time: DatabaseTime = { now: () => clock.now(), requireSteadyHost: () => undefined };
    const holds = { hold: () => undefined, release: () => undefined };
    const [funded] = contract.balances.expected.filter(({ free }) => !Amount.of(free).lessThan(Amount.of('0.25')));
    const { exchangeSymbol } = contract.orders.instruction;
    const pair = {
      ...BTC_USD,
      exchangeSymbol,
      base: funded?.asset ?? 'BTC',
      minCost: null,
      minBaseQty: '0.00000001',
      tickSize: '0.01',
      priceDecimals: 2,
    };
    return orderUseCasesOver(
      {
        ...memoryOrderPorts(this.table, { holds, clock, config }),
        wallets: { get: () => Promise.resolve(wallet), find: () => Promise.resolve(wallet) },
        time: { read: () => Promise.resolve(time) },
      },
      {
        sessions: sessions as WalletSessions,
        clock,
        config,
        logger: pino({ level: 'silent' }),
        routes: { find: () => Promise.resolve({ routeId: `${exchange}:spot`, exchange, pair }) },
      },
    );
  }
}
