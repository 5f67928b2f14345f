import type { Audit, ProjectIdentity } from '#access';
import type { Database } from '#platform/database';
import { WalletNotFound, type DeleteWallet } from '#wallet';
import { ownerOf, type Owner } from './export-wallet.js';
import { walletTables } from './wallet-data.js';

/** The tables whose rows the deletion of the wallet leaves, and `eraseWallet` deletes. */
const DELETED = ['connect_sessions', 'topic_messages', 'events'] as const;

export interface EraseOptions {
  project: ProjectIdentity;
  externalWalletId: string;
  /** For the audit log. */
  actor: string;
}

/** What became of the rows of one table. */
export interface ErasedTable {
  table: string;
  /** Rows that are still stored. */
  left: number;
  /** Why they stay, or until when; null = all rows are erased. */
  reason: string | null;
}

/**
 * Erases what may be erased of a wallet: deletes the wallet if it is connected, and its connect sessions, messages and
 * events. Payments, orders, transactions and the audit log stay. Safe to repeat.
 * @returns what is left, for each table with rows of wallets
 * @throws NotFound when the project has never connected a wallet with this id
 */
export async function eraseWallet(
  { db, deleteWallet, audit }: { db: Database; deleteWallet: DeleteWallet; audit: Audit },
  options: EraseOptions,
): Promise<ErasedTable[]> {
  const { project, externalWalletId, actor } = options;
  const owner = await db.transaction((tx) => ownerOf(db, tx, options));
  await deleteWallet.execute(project, externalWalletId).catch((error: unknown) => {
    if (!(error instanceof WalletNotFound)) throw error;
  });
  await db.transaction(async (tx) => {
    const [projectId] = owner;
    for (const table of DELETED) {
      const condition = walletTables[table]?.rows ?? 'false';
      const used = owner.slice(0, condition.includes('$3') ? 3 : 2);
      await db.query(`delete from ${table} where ${condition}`, used, tx);
    }
    const { organizationId } = project;
    const action = 'wallet.erased';
    await audit.record(tx, { organizationId, projectId, actor, action, subject: externalWalletId, details: {} });
  });
  return countLeft(db, owner);
}

/** Counts the rows of a wallet that are stored, in each table with rows of wallets. */
export async function countLeft(db: Database, owner: Owner): Promise<ErasedTable[]> {
  const left: ErasedTable[] = [];
  for (const [table, { rows, erasure }] of Object.entries(walletTables)) {
    if (rows === null) continue;
    const [row] = await db.query<{ count: number }>(
      `select count(*)::int as count from ${table}
        where $1::uuid is not null and $2::text is not null and $3::uuid[] is not null and (${rows})`,
      owner,
    );
    const count = row?.count ?? 0;
    left.push({ table, left: count, reason: count === 0 ? null : reasonOf(erasure) });
  }
  return left;
}

function reasonOf(erasure: (typeof walletTables)[string]['erasure']): string | null {
  if (erasure.kind === 'kept') return erasure.why;
  return erasure.kind === 'expires' ? `deleted later: ${erasure.until}` : null;
}
