import type { ProjectIdentity } from '#access';
import { accountOf } from '#exchange';
import type { Database, NamedStatement } from '#platform/database';
import { WalletNotFound, type Wallet, type Wallets } from '#wallet';
import type { RestoredDatabase } from '../../epoch/restored-database.js';
import type { Quote } from '../../quote/quote.entity.js';
import type { Quotes } from '../../quote/quotes.js';
import { copyOf, type MemoryTables } from './memory-tables.js';

/** `Quotes` in memory. */
export class MemoryQuotes implements Pick<Quotes, 'findOfProject' | 'findUsedTag'> {
  constructor(private readonly tables: MemoryTables) {}

  async findOfProject(projectId: string, id: string): Promise<Quote | null> {
    const quote = this.tables.quotes.get(id);
    return quote?.projectId === projectId ? quote : null;
  }

  async findUsedTag(
    { projectId, externalId: externalWalletId }: Pick<Wallet, 'projectId' | 'externalId'>,
    { asset, network, address }: Pick<Quote, 'asset' | 'network' | 'address'>,
  ): Promise<string | null> {
    const { wallets, quotes, withdrawals } = this.tables;
    const isOfWallet = (uuid: string): boolean => {
      const wallet = wallets.get(uuid);
      return wallet?.projectId === projectId && wallet.externalId === externalWalletId;
    };
    const used = [...quotes.all(), ...withdrawals.all()].find(
      (each) =>
        each.tag !== null &&
        isOfWallet(each.walletId) &&
        each.asset === asset &&
        each.network === network &&
        accountOf(each.address) === accountOf(address),
    );
    return used?.tag ?? null;
  }
}

/** Implements in memory the methods of `Wallets` that find a connected wallet. */
export class MemoryWallets implements Pick<Wallets, 'get' | 'find'> {
  constructor(private readonly tables: MemoryTables) {}

  async get(project: Pick<ProjectIdentity, 'id'>, externalWalletId: string): Promise<Wallet> {
    const wallet = await this.find(project, externalWalletId);
    if (wallet === null) throw new WalletNotFound();
    return wallet;
  }

  async find(project: Pick<ProjectIdentity, 'id'>, externalWalletId: string): Promise<Wallet | null> {
    const wallet = this.tables.wallets.find(
      (each) => each.projectId === project.id && each.externalId === externalWalletId && each.deletedAt === null,
    );
    return wallet && copyOf(wallet);
  }
}

/** `RestoredDatabase` for the memory store, which is never restored from a backup. */
export class MemoryRestored implements Pick<RestoredDatabase, 'isForgotten' | 'mayLackExecution'> {
  async isForgotten(): Promise<boolean> {
    return false;
  }

  async mayLackExecution(): Promise<boolean> {
    return false;
  }
}

/** Implements in memory the statements of `ExecutionLocks` outside of transactions. */
export class MemoryStatements implements Pick<Database, 'read'> {
  constructor(private readonly tables: MemoryTables) {}

  async read<Row>({ text: sql }: NamedStatement, parameters: unknown[]): Promise<Row[]> {
    const { locks } = this.tables;
    const [quoteId, holder] = parameters as [string, string];
    const lock = locks.get(quoteId);
    if (sql.startsWith('insert into execution_locks')) {
      const [, , now, until, isForced] = parameters as [string, string, Date, Date, boolean];
      if (lock !== null && lock.until > now && !isForced) return [];
      if (lock === null) locks.insert(quoteId, { quoteId, holder, until });
      else locks.update(quoteId, { holder, until });
      return [{ quote_id: quoteId }] as Row[];
    }
    if (sql.startsWith('delete from execution_locks where quote_id')) {
      if (lock?.holder === holder) locks.delete(quoteId);
      return [];
    }
    throw new Error(`the memory store does not support this statement of execution locks: ${sql}`);
  }
}
