import { Amount } from '#money';
import { Wallet } from '#wallet';
import { ASSET, type RecordForm } from '../exchange/account.js';
import type { Exchange, Foreign } from '../exchange/exchange.js';
import type { OwnerPlan } from '../scenario/owner-plan.js';
import { timing } from '../scenario/timing.js';
import type { OwnerPort, RealDatabase } from '../store/simulated-store.js';
import { timeOfDay, type Process } from './process.js';
import type { Random } from './random.js';
import type { Scheduler } from './scheduler.js';

export const ADDRESS = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
export const FEE = '0.0001';
/** How long before the run the wallets were connected. */
const CONNECTED_BEFORE_MS = 86_400_000;
/** Longest time for which the credentials of deleted wallets are kept. */
const KEPT_MAX_MS = 90_000_000;

/** The owner's view of a wallet. */
export interface OwnedWallet {
  /** The caller's id, which stays the same when the wallet is deleted and connected again. */
  readonly externalWalletId: string;
  /** null = the wallet is deleted. */
  row: Wallet | null;
  /** The API key with which it is connected, and the version of its credentials. */
  key: string;
  version: string;
}

export interface OwnerParts {
  scheduler: Scheduler;
  random: Random;
  exchange: Exchange;
  store: OwnerPort;
  /** null = in memory. */
  real: Pick<RealDatabase, 'backUp'> | null;
  onRestore: () => Promise<void>;
  /** `store` takes its times from the clock of this process. */
  process: Process;
  newId: () => string;
  /** Returns the id of the project of a wallet. */
  projectOf: (externalWalletId: string) => string;
  onEvent: (event: string) => void;
}

/** The owner of the wallets, who connects, replaces and deletes them, and uses the account at the exchange directly. */
export class Owner {
  readonly wallets: OwnedWallet[] = [];
  private readonly plans: OwnerPlan[];
  /** Number of steps of the processes since the owner's last action. */
  private stepsSeen = 0;

  constructor(
    private readonly parts: OwnerParts,
    plans: readonly OwnerPlan[],
  ) {
    this.plans = [...plans];
  }

  async begin(keys: readonly string[]): Promise<void> {
    for (const [index, key] of keys.entries()) {
      const wallet: OwnedWallet = { externalWalletId: `wallet${index + 1}`, row: null, key, version: '' };
      this.wallets.push(wallet);
      await this.at(-CONNECTED_BEFORE_MS, () => this.connect(wallet, key));
    }
    this.waitForNext();
  }

  /** Returns the wallet with this id; null while it is deleted. */
  find(externalWalletId: string): (OwnedWallet & { row: Wallet }) | null {
    const wallet = this.wallets.find((each) => each.externalWalletId === externalWalletId);
    return wallet?.row == null ? null : { ...wallet, row: wallet.row };
  }

  /** Drops the actions that did not happen in time. */
  end(): void {
    this.plans.length = 0;
  }

  /** Acts before a step of a process, if the seed has chosen this step. */
  async ambush(isDeciding: boolean): Promise<void> {
    const when = this.plans[0]?.when;
    if (when === undefined || 'afterMs' in when || (when.of === 'deciding' && !isDeciding)) return;
    this.stepsSeen += 1;
    if (this.stepsSeen >= when.step) await this.actNext();
  }

  /** Makes one withdrawal of the owner at the exchange. */
  bookForeign(amount: string, form: RecordForm = 'certain'): void {
    const { exchange } = this.parts;
    exchange.settleLater(exchange.bookForeign(this.firstKey, foreign(amount, form)));
  }

  /** Books an earlier withdrawal of the owner that looks like a withdrawal of the service. */
  bookOlder(status: 'failed' | 'pending'): void {
    const { exchange, random } = this.parts;
    const isFailed = status === 'failed';
    // A pending withdrawal is so old that the history already shows it. A failed one is newer, and the history may show
    // it later.
    const before = isFailed ? random.between(0, 30_000) : timing.historyLagMax;
    const record = exchange.bookForeign(this.firstKey, foreign('1', 'certain'), before);
    if (isFailed) exchange.settle(record, 'failed', record.bookedAt);
    else exchange.settleLater(record);
  }

  private get firstKey(): string {
    return this.wallets[0]?.key ?? 'A1';
  }

  private async actNext(): Promise<void> {
    const plan = this.plans.shift();
    const wallet = this.wallets[plan?.wallet ?? 0];
    if (plan === undefined || wallet === undefined) return;
    this.parts.onEvent(`the owner: ${plan.does} ${plan.key} (${wallet.externalWalletId})`);
    await this.act(plan, wallet);
    this.waitForNext();
  }

  private async act({ does, key }: OwnerPlan, wallet: OwnedWallet): Promise<void> {
    const { exchange, store } = this.parts;
    if (does === 'connect') return this.connect(wallet, key);
    if (does === 'revoke') return exchange.revoke(key);
    if (does === 'back_up') return this.parts.real?.backUp();
    if (does === 'restore') return this.parts.onRestore();
    if (does === 'erase') return this.at(KEPT_MAX_MS, () => store.eraseKept());
    if (wallet.row !== null) await store.delete(wallet.row);
    wallet.row = null;
  }

  private async connect(wallet: OwnedWallet, key: string): Promise<void> {
    wallet.row ??= this.newRow(wallet.externalWalletId);
    wallet.key = key;
    wallet.version = await this.parts.store.connect(wallet.row, key);
  }

  /** Runs `work` while the clock of the process is ahead by `offset`. */
  private async at<T>(offset: number, work: () => Promise<T>): Promise<T> {
    const { process } = this.parts;
    const usual = process.offset;
    process.offset = usual + offset;
    try {
      return await work();
    } finally {
      process.offset = usual;
    }
  }

  private waitForNext(): void {
    this.stepsSeen = 0;
    const when = this.plans[0]?.when;
    if (when === undefined || !('afterMs' in when)) return;
    const run = (): Promise<void> => this.actNext();
    this.parts.scheduler.add({ owner: null, label: 'owner.acts', kind: 'event', in: when.afterMs, run });
  }

  private newRow(externalWalletId: string): Wallet {
    const { scheduler, newId, projectOf, process } = this.parts;
    const createdAt = timeOfDay(scheduler.now, process.offset);
    return Object.assign(new Wallet(), {
      id: newId(),
      projectId: projectOf(externalWalletId),
      externalId: externalWalletId,
      exchange: 'kraken',
      invalidApi: false,
      createdAt,
      updatedAt: createdAt,
      lastSyncAt: null,
      deletedAt: null,
      nextSyncAt: createdAt,
      syncFailures: 0,
      historyTracked: false,
      syncProgress: null,
    });
  }
}

function foreign(amount: string, form: RecordForm): Foreign {
  const debit = Amount.of(amount).plus(Amount.of(FEE));
  return {
    asset: ASSET,
    debit,
    form,
    request: { asset: ASSET, address: ADDRESS, amount: debit.toString(), max_fee: FEE },
  };
}
