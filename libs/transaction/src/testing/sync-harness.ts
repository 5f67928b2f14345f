import type { Type } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { pino } from 'pino';
import type { ProjectIdentity } from '#access';
import { Projects } from '#access';
import { createProject } from '#access/testing';
import { Exchanges, type HistoryKind } from '#exchange';
import { MarketModule, Prices } from '#market';
import { Amount } from '#money';
import { PlatformModule } from '#platform/app';
import { Clock } from '#platform/clock';
import { Vault } from '#platform/crypto';
import { Database } from '#platform/database';
import { createTestDatabase, testConfig, ManualClock } from '#platform/testing';
import { WalletModule, type Wallet } from '#wallet';
import { connectedWallet } from '#wallet/testing';
import { HistoryWriter } from '../sync/history-writer.js';
import { SyncMetrics } from '../sync/sync.metrics.js';
import { SyncStore } from '../sync/sync-store.js';
import { SyncTransactions } from '../sync/sync-transactions.js';
import { Transaction } from '../history/transaction.entity.js';
import { TransactionModule } from '../history/transaction.module.js';
import { Transactions } from '../history/transactions.service.js';
import { ScriptedAccount } from './scripted-account.js';

export const SECOND = 1_000;
export const HOUR = 3_600 * SECOND;
export const DAY = 24 * HOUR;

/** The real use case on its own database, with an exchange whose listing is the source of truth. */
export class SyncHarness {
  /** Price of one unit in US dollars, by asset. */
  prices: Record<string, string> = {};
  account = new ScriptedAccount();
  project: ProjectIdentity;
  wallet: Wallet;
  readonly logged: { level: number; msg: string }[] = [];
  db: Database;
  get: <T>(type: Type<T>) => T;
  close: () => Promise<void>;
  private newProject: () => Promise<ProjectIdentity>;

  private constructor(readonly clock: ManualClock) {}

  static async create(env: Record<string, string> = {}): Promise<SyncHarness> {
    const database = await createTestDatabase();
    const config = testConfig(database, { ...env });
    const harness = new SyncHarness(new ManualClock());
    const logger = pino(
      {},
      { write: (line) => void harness.logged.push(JSON.parse(line) as SyncHarness['logged'][number]) },
    );
    const at: Prices['at'] = (questions) =>
      Promise.resolve(
        questions.map(({ asset }) => (asset in harness.prices ? Amount.of(harness.prices[asset] ?? '') : null)),
      );
    const module = await Test.createTestingModule({
      imports: [PlatformModule.forRoot(config, logger, 'test'), MarketModule, WalletModule, TransactionModule],
      providers: [HistoryWriter, SyncMetrics, SyncStore, SyncTransactions],
    })
      .overrideProvider(Exchanges)
      .useValue({ open: () => harness.account.open(), openFresh: () => harness.account.openFresh() })
      .overrideProvider(Prices)
      .useValue({ at })
      .overrideProvider(Clock)
      .useValue(harness.clock)
      .compile();
    harness.get = (type) => module.get(type, { strict: false });
    harness.db = harness.get(Database);
    harness.newProject = async () =>
      harness.get(Projects).getContext((await createProject(module, { mode: 'test' })).projectId);
    harness.close = async () => {
      await module.close();
      await database.drop();
    };
    return harness;
  }

  /** Makes a new wallet in a new project, with a new account. */
  async newWallet(): Promise<void> {
    this.account = new ScriptedAccount();
    await this.db.query(`delete from transaction_syncs`);
    this.project = await this.newProject();
    this.wallet = await this.connect(`wallet-${this.clock.newId()}`);
    this.logged.length = 0;
  }

  async connect(externalWalletId: string): Promise<Wallet> {
    const createdAt = this.clock.now();
    const wallet = await connectedWallet(this.db, this.project, {
      vault: this.get(Vault),
      externalWalletId,
      createdAt,
    });
    await this.get(SyncStore).adopt();
    return wallet;
  }

  ago(ms: number): Date {
    return new Date(this.clock.at - ms);
  }

  /** Runs one job. */
  sync(kind: HistoryKind = 'deposit', wallet = this.wallet): Promise<void> {
    return this.get(SyncTransactions).execute({ walletId: wallet.id, kind });
  }

  /** Does what workers do during the next `ms`, until all due work is done. */
  async work(ms: number): Promise<void> {
    const end = this.clock.at + ms;
    for (;;) {
      const due = await this.get(SyncStore).takeDue(100);
      for (const id of due) await this.get(SyncTransactions).execute(id);
      if (due.length === 0 && this.clock.at >= end) return;
      if (due.length === 0) this.clock.at = Math.min(end, await this.nextDue());
    }
  }

  /** Makes a withdrawal of ours whose id at the exchange is not known yet. */
  async execution(rest: { asset?: string; at?: Date } = {}): Promise<string> {
    const id = this.clock.newId();
    await this.db.transaction((tx) =>
      this.get(Transactions).recordWithdrawal(tx, {
        id,
        projectId: this.project.id,
        walletId: this.wallet.id,
        externalWalletId: this.wallet.externalId,
        exchange: 'kraken',
        asset: rest.asset ?? 'BTC',
        amount: Amount.of('0.5'),
        fee: Amount.of('0.0001'),
        feeAsset: rest.asset ?? 'BTC',
        addressTo: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
        tag: null,
        network: 'bitcoin',
        occurredAt: rest.at ?? this.clock.now(),
      }),
    );
    return id;
  }

  link(id: string, exchangeTransactionId: string): Promise<void> {
    return this.db.transaction((tx) => this.get(Transactions).link(tx, id, { exchangeTransactionId }));
  }

  settle(id: string, status: 'ok' | 'failed' | 'canceled'): Promise<void> {
    return this.db.transaction((tx) => this.get(Transactions).settle(tx, id, { status, at: this.clock.now() }));
  }

  /** Returns the visible rows of the project, oldest first. */
  rows(): Promise<Transaction[]> {
    return this.db
      .repository(Transaction)
      .createQueryBuilder('t')
      .where('t.projectId = :id and t.supersededBy is null', { id: this.project.id })
      .orderBy('t.occurredAt')
      .addOrderBy('t.id')
      .getMany();
  }

  async ids(): Promise<(string | null)[]> {
    return (await this.rows()).map(({ exchangeTransactionId }) => exchangeTransactionId);
  }

  async row(kind: HistoryKind = 'deposit', wallet = this.wallet): Promise<Record<string, unknown> | undefined> {
    const [row] = await this.db.query<Record<string, unknown>>(
      `select * from transaction_syncs where wallet_id = $1 and kind = $2`,
      [wallet.id, kind],
    );
    return row;
  }

  events(): Promise<{ type: string; subject: string; data: Record<string, unknown> }[]> {
    return this.db.query(`select type, subject, data from events where project_id = $1 order by id`, [this.project.id]);
  }

  private async nextDue(): Promise<number> {
    const [row] = await this.db.query<{ at: Date | null }>(`select min(next_sync_at) as at from transaction_syncs`);
    return row?.at?.getTime() ?? Infinity;
  }
}
