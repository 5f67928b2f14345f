import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database } from '#platform/database';

/** A withdrawal that an exchange shows and that the restored database does not know. Amounts are decimal texts. */
export interface UnmatchedRecord {
  id: string;
  projectId: string;
  walletId: string;
  externalWalletId: string;
  exchange: string;
  exchangeId: string;
  clientRef: string | null;
  asset: string;
  address: string | null;
  amountNoFee: string;
  fee: string | null;
  /** As the exchange showed it when it was found. */
  status: string;
  occurredAt: Date;
  foundAt: Date;
  settledAt: Date | null;
}

@Injectable()
export class UnmatchedRecords {
  constructor(private readonly db: Database) {}

  async find(id: string): Promise<UnmatchedRecord | null> {
    const [found] = await this.db.query<UnmatchedRecord>(
      `select id, project_id as "projectId", wallet_id as "walletId", external_wallet_id as "externalWalletId", exchange,
         exchange_id as "exchangeId", client_ref as "clientRef", asset, address, amount_no_fee as "amountNoFee", fee,
         status, occurred_at as "occurredAt", found_at as "foundAt", settled_at as "settledAt"
       from unmatched_records where id = $1`,
      [id],
    );
    return found ?? null;
  }

  /** @returns false when it is settled already. */
  async settle(tx: EntityManager, id: string, now: Date): Promise<boolean> {
    const rows = await this.db.query(
      `update unmatched_records set settled_at = $2 where id = $1 and settled_at is null returning id`,
      [id, now],
      tx,
    );
    return rows.length === 1;
  }

  /** The record turned out to be that of a withdrawal that we know. */
  async settleLinked(tx: EntityManager, walletId: string, exchangeId: string, now: Date): Promise<void> {
    await this.db.query(
      `update unmatched_records set settled_at = $3 where wallet_id = $1 and exchange_id = $2 and settled_at is null`,
      [walletId, exchangeId, now],
      tx,
    );
  }
}
