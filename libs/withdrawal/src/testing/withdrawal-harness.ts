import pg from 'pg';
import { Test, type TestingModule } from '@nestjs/testing';
import type { Type } from '@nestjs/common';
import { pino } from 'pino';
import type { ProjectContext, ProjectMode } from '#access';
import { createProject } from '#access/testing';
import { Exchanges } from '#exchange';
import { Amount } from '#money';
import { PlatformModule } from '#platform/app';
import { Clock } from '#platform/clock';
import type { Config } from '#platform/config';
import { Vault } from '#platform/crypto';
import { Database, DatabaseClock } from '#platform/database';
import { createTestDatabase, testConfig, ManualClock, TestDatabaseClock } from '#platform/testing';
import { Projects } from '#access';
import type { Wallet } from '#wallet';
import { connectedWallet, credentialVersionOf, replaceCredentials } from '#wallet/testing';
import { ExecuteQuote, type ExecuteInput, type ExecutionAnswer } from '../execution/execute-quote.js';
import { Quote } from '../quote/quote.entity.js';
import { ReconcileWithdrawal } from '../settling/reconcile-withdrawal.js';
import { WithdrawalStore } from '../withdrawals/withdrawal-store.js';
import { WithdrawalModule } from '../withdrawal.module.js';
import { Withdrawal } from '../withdrawals/withdrawal.entity.js';
import { ScriptedExchange } from './scripted-exchange.js';

export const ADDRESS = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';

/**
 * Runs the real use cases on a database of their own. The ledger of the scripted exchange shows what has really moved.
 */
export class WithdrawalHarness {
  project: ProjectContext;
  /** Connects as the role that owns the tables, for changes that the application may not make. */
  ownerUrl: string;
  wallet: Wallet;
  private newProject: (mode: ProjectMode) => Promise<void>;

  private constructor(
    readonly clock: ManualClock,
    readonly exchange: ScriptedExchange,
    readonly db: Database,
    readonly get: <T>(type: Type<T>) => T,
    readonly close: () => Promise<void>,
  ) {}

  /** Returns a provider of the same modules as the role of the API, which sees one project, on the same database. */
  ofApi: <T>(type: Type<T>) => Promise<T>;

  static async create(env: Record<string, string> = {}): Promise<WithdrawalHarness> {
    const database = await createTestDatabase();
    const config = testConfig(database, { WITHDRAWAL_RATE_PER_MINUTE: '1000', ...env });
    const clock = new ManualClock();
    const exchange = new ScriptedExchange(clock);
    const build = (of: Config): Promise<TestingModule> =>
      Test.createTestingModule({
        imports: [PlatformModule.forRoot(of, pino({ level: 'silent' }), 'test'), WithdrawalModule],
      })
        .overrideProvider(Exchanges)
        .useValue(exchange)
        .overrideProvider(Clock)
        .useValue(clock)
        .overrideProvider(DatabaseClock)
        .useFactory({ factory: (db: Database) => new TestDatabaseClock(db, clock, of), inject: [Database] })
        .compile();
    const modules = [await build(config)];
    const [module] = modules;
    const get = <T>(type: Type<T>): T => module.get(type, { strict: false });
    const harness = new WithdrawalHarness(clock, exchange, get(Database), get, async () => {
      await Promise.all(modules.map((each) => each.close()));
      await database.drop();
    });
    harness.ownerUrl = database.ownerUrl;
    harness.ofApi = async (type) => {
      const api = await build(testConfig({ appUrl: database.roleUrl('api') }, env));
      modules.push(api);
      return api.get(type, { strict: false });
    };
    harness.newProject = async (mode) => {
      const { projectId } = await createProject(module, { mode });
      const identity = await get(Projects).getContext(projectId);
      harness.project = { ...identity, apiKeyId: clock.newId(), scopes: ['read', 'quote', 'withdrawal'] };
    };
    await harness.newWallet();
    return harness;
  }

  /**
   * Begins a test with a new wallet. Deletes the withdrawals of earlier tests, because the scripted exchange numbers
   * its records from `X1` again after a test has emptied the ledger.
   */
  async begin(): Promise<void> {
    const owner = new pg.Client(this.ownerUrl);
    await owner.connect();
    await owner.query('truncate withdrawals cascade');
    await owner.end();
    await this.newWallet();
  }

  /** Makes a new wallet for the quotes and executions that follow, by default in a new project. */
  async newWallet(
    where: { inSameProject?: boolean; mode?: ProjectMode; externalWalletId?: string } = {},
  ): Promise<void> {
    const { inSameProject = false, mode = 'test', externalWalletId } = where;
    if (!inSameProject) await this.newProject(mode);
    const options = { externalWalletId, vault: this.get(Vault), createdAt: this.clock.now() };
    this.wallet = await connectedWallet(this.db, this.project, options);
  }

  /**
   * Replaces the credentials of the wallet with others of the same account, or with those of another account.
   * @returns the version of the new credentials.
   */
  async replaceCredentials({ isOtherAccount = false } = {}): Promise<string> {
    const version = await replaceCredentials(this, this.project, this.wallet);
    if (isOtherAccount) this.exchange.otherAccounts.add(version);
    return version;
  }

  async quote(
    values: {
      amount?: string;
      fee?: string;
      includeFee?: boolean;
      tag?: string | null;
      address?: string;
      network?: string;
    } = {},
  ): Promise<Quote> {
    const now = this.clock.now();
    const amountNoFee = Amount.of(values.amount ?? '1');
    const fee = Amount.of(values.fee ?? '0.0001');
    const quote = this.db.repository(Quote).create({
      id: this.clock.newId(),
      projectId: this.project.id,
      walletId: this.wallet.id,
      credentialVersion: await credentialVersionOf(this.db, this.wallet.id),
      exchange: 'kraken',
      asset: 'BTC',
      network: values.network ?? 'bitcoin',
      address: values.address ?? ADDRESS,
      tag: values.tag ?? null,
      includeFee: values.includeFee ?? false,
      amountNoFee,
      fee,
      amountWithFee: amountNoFee.plus(fee),
      feeDetails: [],
      requirements: [],
      minWithdrawal: null,
      maxWithdrawal: null,
      priceUsd: Amount.of('60000.5'),
      createdAt: now,
      expiresAt: new Date(now.getTime() + 300_000),
    });
    await this.db.repository(Quote).insert(quote);
    return quote;
  }

  execute(quote: Pick<Quote, 'id'>, input: Partial<ExecuteInput> = {}): Promise<ExecutionAnswer> {
    return this.get(ExecuteQuote).execute(this.project, {
      quoteId: quote.id,
      externalWalletId: this.wallet.externalId,
      dryRun: false,
      codes: {},
      autoDeleteIfInvalid: true,
      ...input,
    });
  }

  async withdrawalOf(quote: Pick<Quote, 'id'>): Promise<Withdrawal> {
    return this.db.repository(Withdrawal).findOneByOrFail({ quoteId: quote.id });
  }

  async transactionStatus(answer: ExecutionAnswer): Promise<string | undefined> {
    const rows = await this.db.query<{ status: string }>(`select status from transactions where id = $1`, [
      answer.transactionId,
    ]);
    return rows[0]?.status;
  }

  /** Runs the worker on the due withdrawals `rounds` times, `everyMs` apart. */
  async work(rounds: number, everyMs = 5_000): Promise<void> {
    for (let round = 0; round < rounds; round++) {
      for (const id of await this.get(WithdrawalStore).takeDue(this.clock.now())) {
        await this.get(ReconcileWithdrawal).execute(id);
      }
      this.clock.advance(everyMs);
    }
  }
}
