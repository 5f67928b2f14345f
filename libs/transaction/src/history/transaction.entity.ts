import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Amount } from '#money';
import { AmountColumn } from '#platform/database';

/** `deposit`: money came in. `withdrawal`: money went out. `transaction`: any other booking of the exchange. */
export const transactionTypes = ['deposit', 'withdrawal', 'transaction'] as const;
export type TransactionType = (typeof transactionTypes)[number];

/** `pending` changes once to one of the other statuses, which are final. A trigger of the database enforces this. */
export const transactionStatuses = ['pending', 'ok', 'failed', 'canceled'] as const;
export type TransactionStatus = (typeof transactionStatuses)[number];

export const transactionDirections = ['in', 'out'] as const;
export type TransactionDirection = (typeof transactionDirections)[number];

export const fiatCurrencies = ['USD', 'EUR'] as const;
export type FiatCurrency = (typeof fiatCurrencies)[number];

/** One entry in the history of a wallet; it outlives the wallet. */
@Entity('transactions')
export class Transaction {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid', { name: 'project_id' }) projectId: string;
  /** Our id of the wallet. */
  @Column('uuid', { name: 'wallet_id' }) walletId: string;
  /** The caller's id of the wallet, kept here so that it is still shown after the wallet is deleted. */
  @Column('text', { name: 'external_wallet_id' }) externalWalletId: string;
  @Column('text') exchange: string;
  /** Null until the exchange has reported its own id. */
  @Column('text', { name: 'exchange_transaction_id', nullable: true }) exchangeTransactionId: string | null;
  @Column('text') type: TransactionType;
  @Column('text', { nullable: true }) direction: TransactionDirection | null;
  @Column('text') status: TransactionStatus;
  @Column('text') asset: string;
  /** The exchange's id of the asset; null = it is the same as `asset`. */
  @Column('text', { name: 'exchange_asset', nullable: true }) exchangeAsset: string | null;
  /** The amount that arrives, without the fee. */
  @AmountColumn() amount: Amount;
  @AmountColumn({ nullable: true }) fee: Amount | null;
  @Column('text', { name: 'fee_asset', nullable: true }) feeAsset: string | null;
  @AmountColumn({ name: 'amount_in_fiat', nullable: true }) amountInFiat: Amount | null;
  @AmountColumn({ name: 'fee_in_fiat', nullable: true }) feeInFiat: Amount | null;
  @Column('text', { name: 'fiat_currency', nullable: true }) fiatCurrency: FiatCurrency | null;
  @Column('text', { name: 'address_to', nullable: true }) addressTo: string | null;
  @Column('text', { name: 'address_from', nullable: true }) addressFrom: string | null;
  @Column('text', { nullable: true }) tag: string | null;
  /** See `networkName`. */
  @Column('text') network: string;
  /** Hash on the chain, null until it is known. */
  @Column('text', { nullable: true }) hash: string | null;
  /**
   * `execution`: a withdrawal of ours, whose status only its settlement changes. `exchange`: found in the exchange's
   * history.
   */
  @Column('text') origin: 'execution' | 'exchange';
  /** The transaction that is shown in place of this one, because both are for the same record of the exchange. */
  @Column('uuid', { name: 'superseded_by', nullable: true }) supersededBy: string | null;
  /** The exchange's own name of the status. */
  @Column('text', { name: 'raw_status', nullable: true }) rawStatus: string | null;
  /** When the chain confirmed the transaction; null = not known. */
  @Column('timestamptz', { name: 'confirmed_at', nullable: true }) confirmedAt: Date | null;
  /** Height of the block that contains the transaction. */
  @Column('bigint', { name: 'block_height', nullable: true }) blockHeight: string | null;
  /** When the chain is queried next; null = nothing to query. */
  @Column('timestamptz', { name: 'next_enrich_at', nullable: true }) nextEnrichAt: Date | null;
  /** When the chain was last queried. */
  @Column('timestamptz', { name: 'enrich_asked_at', nullable: true }) enrichAskedAt: Date | null;
  @Column('integer', { name: 'enrich_count' }) enrichCount: number;
  @Column('timestamptz', { name: 'occurred_at' }) occurredAt: Date;
  @Column('timestamptz', { name: 'created_at' }) createdAt: Date;
  @Column('timestamptz', { name: 'updated_at' }) updatedAt: Date;
}
