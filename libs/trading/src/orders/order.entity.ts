import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { OrderDescription, OrderSide, OrderStatus, OrderType } from '#exchange';
import type { Amount } from '#money';
import { AmountColumn } from '#platform/database';
import type { ErrorCode } from '#platform/errors';
import type { OrderState } from './order-state.js';

export interface StoredFee {
  asset: string;
  amount: string;
}

/**
 * A spot order that was placed through Causeway. Its route, side, type, volume and price never change. Only OrderStore
 * and OrderTransitions change other columns.
 */
@Entity('orders')
export class Order {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid', { name: 'project_id' }) projectId: string;
  @Column('uuid', { name: 'wallet_id' }) walletId: string;
  /** The caller's id of the wallet. */
  @Column('text', { name: 'external_wallet_id' }) externalWalletId: string;
  @Column('text') exchange: string;
  @Column('text', { name: 'connector_version' }) connectorVersion: string;
  /** Version of the credentials that send the order. Only a listing under the same version proves absence. */
  @Column('text', { name: 'credential_version' }) credentialVersion: string;
  @Column('text', { name: 'route_id' }) routeId: string;
  @Column('text', { name: 'base_asset' }) baseAsset: string;
  @Column('text', { name: 'quote_asset' }) quoteAsset: string;
  @Column('text') side: OrderSide;
  @Column('text') type: OrderType;
  @AmountColumn() volume: Amount;
  @AmountColumn({ nullable: true }) price: Amount | null;
  /** The caller's `Idempotency-Key`. `asked` is the requested order as text, for comparison with a repeat. */
  @Column('text', { name: 'idempotency_key', nullable: true }) idempotencyKey: string | null;
  @Column('text') asked: string;
  /** Our client order id, by which the order is found at the exchange. */
  @Column('text', { name: 'client_order_id' }) clientOrderId: string;
  @Column('jsonb') request: Record<string, string>;
  /**
   * Submission deadline, after which the exchange no longer accepts the order; null = the exchange has no such
   * deadline.
   */
  @Column('timestamptz', { name: 'submission_deadline', nullable: true }) submissionDeadline: Date | null;
  @Column('text') state: OrderState;
  @Column('timestamptz', { name: 'lease_until' }) leaseUntil: Date;
  @Column('timestamptz', { name: 'sent_at', nullable: true }) sentAt: Date | null;
  @Column('text', { name: 'exchange_ids', array: true }) exchangeIds: string[];
  @Column('text') status: OrderStatus;
  /** The exchange's own status, or one of ours before the exchange has reported a status. */
  @Column('text', { name: 'raw_status' }) rawStatus: string;
  @AmountColumn({ name: 'executed_volume' }) executedVolume: Amount;
  @AmountColumn() cost: Amount;
  @AmountColumn({ name: 'average_price' }) averagePrice: Amount;
  /** The fees so far, one for each asset; amounts are decimal texts. null = the exchange does not report them. */
  @Column('jsonb', { nullable: true }) fees: StoredFee[] | null;
  @Column('timestamptz', { name: 'opened_at', nullable: true }) openedAt: Date | null;
  @Column('timestamptz', { name: 'closed_at', nullable: true }) closedAt: Date | null;
  @Column('jsonb') description: OrderDescription;
  @Column('text', { name: 'order_text' }) orderText: string;
  /** The exchange's response to the submission. `rawAnswer` is the exchange's last report about the order. */
  @Column('jsonb', { name: 'place_answer', nullable: true }) placeAnswer: Record<string, unknown> | null;
  @Column('jsonb', { name: 'raw_answer', nullable: true }) rawAnswer: Record<string, unknown> | null;
  @Column('text', { name: 'error_code', nullable: true }) errorCode: ErrorCode | null;
  @Column('text', { name: 'error_message', nullable: true }) errorMessage: string | null;
  @Column('jsonb', { name: 'error_result', nullable: true }) errorResult: Record<string, unknown> | null;
  /** When the exchange was asked for the stored report. Older reports are ignored. */
  @Column('timestamptz', { name: 'read_at', nullable: true }) readAt: Date | null;
  /** When the exchange was last searched for this order while the exchange had not shown it. */
  @Column('timestamptz', { name: 'searched_at', nullable: true }) searchedAt: Date | null;
  /** When the sweep takes the order; null means never. */
  @Column('timestamptz', { name: 'next_check_at', nullable: true }) nextCheckAt: Date | null;
  /** Number of consecutive listings or reads that did not show the order, and the time of the last one. */
  @Column('integer', { name: 'clean_searches' }) cleanSearches: number;
  @Column('timestamptz', { name: 'last_clean_search_at', nullable: true }) lastCleanSearchAt: Date | null;
  /** When the exchange showed the order although it had been reported as refused or never placed. */
  @Column('timestamptz', { name: 'contradicted_at', nullable: true }) contradictedAt: Date | null;
  @Column('timestamptz', { name: 'created_at' }) createdAt: Date;
  @Column('timestamptz', { name: 'updated_at' }) updatedAt: Date;
}
