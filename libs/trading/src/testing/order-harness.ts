import type { Type } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import pg from 'pg';
import { pino } from 'pino';
import { Projects, type ProjectContext } from '#access';
import { createProject } from '#access/testing';
import { Exchanges, type TradedPair } from '#exchange';
import { Amount } from '#money';
import { PlatformModule } from '#platform/app';
import { Clock } from '#platform/clock';
import { Vault } from '#platform/crypto';
import { Database, DatabaseClock } from '#platform/database';
import { Metrics } from '#platform/metrics';
import { createTestDatabase, testConfig, ManualClock, TestDatabaseClock, type TestDatabase } from '#platform/testing';
import type { Wallet } from '#wallet';
import { connectedWallet, eraseCredentials, replaceCredentials } from '#wallet/testing';
import { CatalogueRoutes } from '../catalogue/catalogue-routes.js';
import { GetOrder } from '../following/get-order.js';
import { OrderStore } from '../orders/order-store.js';
import type { PlaceOrderInput } from '../placement/order-checks.js';
import { PlaceOrder } from '../placement/place-order.js';
import { SettleOrder } from '../following/settle-order.js';
import { Order } from '../orders/order.entity.js';
import { TradingModule } from '../trading.module.js';
import { BTC_USD } from './pairs.js';
import { ScriptedMarket } from './scripted-market.js';

/** The members of an order request that a test sets; the harness has defaults for the others. */
type OrderOverrides = Partial<Omit<PlaceOrderInput, 'volume' | 'price'> & { volume: string; price: string | null }>;

export interface OrderEvent {
  subject: string;
  data: Record<string, unknown>;
}

/** The real use cases on their own database, with an exchange whose list of orders is the source of truth. */
export class OrderHarness {
  project: ProjectContext;
  wallet: Wallet;
  /** The only route of the catalogue. */
  pair: TradedPair = BTC_USD;
  /** Called when the code under test looks up a route. */
  onFindRoute: () => void = () => undefined;
  /** Logged warnings and errors, in order. */
  readonly logged: { level: number; msg: string }[] = [];
  private newProject: () => Promise<ProjectContext>;

  private constructor(
    readonly clock: ManualClock,
    readonly market: ScriptedMarket,
    readonly db: Database,
    readonly database: TestDatabase,
    readonly get: <T>(type: Type<T>) => T,
    readonly close: () => Promise<void>,
  ) {}

  static async create(env: Record<string, string> = {}): Promise<OrderHarness> {
    const database = await createTestDatabase();
    const config = testConfig(database, { DATABASE_LOCK_TIMEOUT_MS: '50', ORDER_RATE_PER_MINUTE: '100', ...env });
    const clock = new ManualClock();
    const market = new ScriptedMarket(clock);
    const routes: Pick<CatalogueRoutes, 'find'> = {
      find: async (exchange, _mode, text) => {
        harness.onFindRoute();
        return text === 'kraken:spot:BTC-USD' ? { routeId: text, exchange, pair: harness.pair } : null;
      },
    };
    const logger = pino(
      { level: 'warn' },
      { write: (line: string) => void harness.logged.push(JSON.parse(line) as { level: number; msg: string }) },
    );
    const module = await Test.createTestingModule({
      imports: [PlatformModule.forRoot(config, logger, 'test'), TradingModule],
    })
      .overrideProvider(CatalogueRoutes)
      .useValue(routes)
      .overrideProvider(Exchanges)
      .useValue(market)
      .overrideProvider(Clock)
      .useValue(clock)
      .overrideProvider(DatabaseClock)
      .useFactory({ factory: (db: Database) => new TestDatabaseClock(db, clock, config), inject: [Database] })
      .compile();
    const get = <T>(type: Type<T>): T => module.get(type, { strict: false });
    const harness = new OrderHarness(clock, market, get(Database), database, get, async () => {
      await module.close();
      await database.drop();
    });
    harness.newProject = async () => {
      const { projectId } = await createProject(module, { mode: 'test' });
      return { ...(await get(Projects).getContext(projectId)), apiKeyId: clock.newId(), scopes: ['trade'] };
    };
    await harness.newWallet();
    return harness;
  }

  /** Url of the role that owns the tables. */
  get ownerUrl(): string {
    return this.database.ownerUrl;
  }

  /** Switches to a new wallet of a new project. */
  async newWallet(exchange = 'kraken', externalWalletId?: string): Promise<void> {
    this.project = await this.newProject();
    await this.anotherWallet(exchange, externalWalletId);
  }

  /** Switches to a new wallet of the same project. */
  async anotherWallet(exchange = 'kraken', externalWalletId?: string): Promise<void> {
    const options = { exchange, externalWalletId, vault: this.get(Vault), createdAt: this.clock.now() };
    this.wallet = await connectedWallet(this.db, this.project, options);
  }

  /** Deletes the wallet with its credentials, and connects it again under the same id, by default at its exchange. */
  async reconnect(exchange = this.wallet.exchange): Promise<void> {
    const { id, externalId: externalWalletId } = this.wallet;
    await this.db.query(`update wallets set deleted_at = $2 where id = $1`, [id, this.clock.now()]);
    await eraseCredentials(this.ownerUrl, this.wallet);
    const options = { exchange, externalWalletId, vault: this.get(Vault), createdAt: this.clock.now() };
    this.wallet = await connectedWallet(this.db, this.project, options);
  }

  place({ volume = '0.5', price = '20000', ...terms }: OrderOverrides = {}): Promise<Order> {
    return this.get(PlaceOrder).execute(this.project, {
      externalWalletId: this.wallet.externalId,
      routeId: 'kraken:spot:BTC-USD',
      side: 'sell',
      type: null,
      idempotencyKey: null,
      volume: Amount.of(volume),
      price: price === null ? null : Amount.of(price),
      ...terms,
    });
  }

  /** Places an order in a process that may die. @returns null when the process died */
  placeOrDie(terms: OrderOverrides = {}): Promise<Order | null> {
    const died = new Promise<null>((resolve) => {
      this.market.onDeath = () => resolve(null);
    });
    return Promise.race([this.place(terms), died]);
  }

  /** Returns the row of an order during whose placement the process died. */
  async placeAndDie(script: 'die_before' | 'die_after', terms: OrderOverrides = {}): Promise<Order> {
    this.market.script.push(script);
    if ((await this.placeOrDie(terms)) !== null) throw new Error('the process has not died');
    const order = (await this.orders()).at(-1);
    if (order === undefined) throw new Error('no order was stored');
    return order;
  }

  read({ id }: Pick<Order, 'id'>): Promise<Order> {
    return this.get(GetOrder).execute(this.project, this.wallet.externalId, id);
  }

  async row({ id }: Pick<Order, 'id'>): Promise<Order> {
    const order = await this.get(OrderStore).find(id);
    if (order === null) throw new Error(`no order ${id}`);
    return order;
  }

  /** Returns the orders of the wallet, oldest first. */
  orders(): Promise<Order[]> {
    return this.db.repository(Order).find({ where: { walletId: this.wallet.id }, order: { id: 'asc' } });
  }

  async events({ id }: Pick<Order, 'id'>): Promise<OrderEvent[]> {
    return (await this.allEvents()).filter(({ subject }) => subject === id);
  }

  /** Returns the events of all orders of the project, oldest first. */
  allEvents(): Promise<OrderEvent[]> {
    return this.db.query<OrderEvent>(
      `select subject, data from events where type = 'order.updated' and project_id = $1 order by id`,
      [this.project.id],
    );
  }

  /** Simulates a restore of the database to a moment before the order. */
  async restore({ id }: Pick<Order, 'id'>): Promise<void> {
    await this.asOwner(
      `alter table orders disable trigger keep_order; delete from orders where id = '${id}';
       alter table orders enable trigger keep_order;
       update database_epochs set is_original = false, first_seen_at = '${this.clock.now().toISOString()}'`,
    );
  }

  async asOwner(statements: string): Promise<void> {
    const owner = new pg.Client(this.ownerUrl);
    await owner.connect();
    await owner.query(statements);
    await owner.end();
  }

  /** Runs the worker's checks of due orders `rounds` times, `everyMs` apart. */
  async work(rounds = 1, everyMs = 2_000): Promise<void> {
    for (let round = 0; round < rounds; round++) {
      for (const id of await this.get(OrderStore).takeDue(this.clock.trueNow(), 100))
        await this.get(SettleOrder).execute(id);
      this.clock.advance(everyMs);
    }
  }

  /** Advances the clock by a millisecond, and replaces the wallet's credentials. */
  async replaceCredentials(): Promise<void> {
    this.clock.advance(1);
    await replaceCredentials(this, this.project, this.wallet);
  }

  /** Number of orders with this outcome in all tests so far. */
  async counted(outcome: string): Promise<number> {
    const { values } = (await this.get(Metrics).registry.getSingleMetric('causeway_orders_total')?.get()) ?? {
      values: [],
    };
    return values.find(({ labels }) => labels['outcome'] === outcome)?.value ?? 0;
  }

  /** Whether a hold keeps the credentials of the wallet. */
  async areHeld(): Promise<boolean> {
    const held = await this.db.query(`select from credential_holds where wallet_id = $1`, [this.wallet.id]);
    return held.length > 0;
  }
}
