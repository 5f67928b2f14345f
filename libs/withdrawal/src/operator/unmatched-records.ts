import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database } from '#platform/database';

/** A record of an exchange that matches no withdrawal in the restored database. Amounts are decimal strings. */
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
  /** The status that the exchange showed when the record was found. */
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

  /** @returns false when the record is already settled. */
  async settle(tx: EntityManager, id: string, now: Date): Promise<boolean> {
    const rows = await this.db.query(
      `update unmatched_records set settled_at = $2 where id = $1 and settled_at is null returning id`,
      [id, now],
      tx,
    );
    return rows.length === 1;
  }

  /** Settles the record because an operator has linked it to a known withdrawal. */
  async settleLinked(tx: EntityManager, walletId: string, exchangeId: string, now: Date): Promise<void> {
    await this.db.query(
      `update unmatched_records set settled_at = $3 where wallet_id = $1 and exchange_id = $2 and settled_at is null`,
      [walletId, exchangeId, now],
      tx,
    );
  }
}
