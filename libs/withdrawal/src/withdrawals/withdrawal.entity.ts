import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ProjectMode } from '#access';
import type { Amount } from '#money';
import { AmountColumn } from '#platform/database';
import type { ErrorCode } from '#platform/errors';
import type { WithdrawalState } from './withdrawal-state.js';

/**
 * The execution of a quote. Amounts and destination never change; only WithdrawalTransitions and WithdrawalStore change
 * the state.
 */
@Entity('withdrawals')
export class Withdrawal {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid', { name: 'quote_id' }) quoteId: string;
  @Column('uuid', { name: 'project_id' }) projectId: string;
  /** The mode of the project; `test` = the withdrawal is made at the sandbox exchange. */
  @Column('text') mode: ProjectMode;
  @Column('uuid', { name: 'wallet_id' }) walletId: string;
  @Column('uuid', { name: 'transaction_id' }) transactionId: string;
  /** Version of the credentials that the withdrawal is made, followed and settled with. */
  @Column('text', { name: 'credential_version' }) credentialVersion: string;
  @Column('text') exchange: string;
  @Column('text') asset: string;
  @Column('text') network: string;
  @Column('text') address: string;
  @Column('text', { nullable: true }) tag: string | null;
  @AmountColumn({ name: 'amount_no_fee' }) amountNoFee: Amount;
  @AmountColumn() fee: Amount;
  @AmountColumn({ name: 'amount_with_fee' }) amountWithFee: Amount;
  /** Our reference, derived from the quote id; sent to exchanges that keep references. */
  @Column('text', { name: 'client_ref' }) clientRef: string;
  @Column('text', { name: 'exchange_id', nullable: true }) exchangeId: string | null;
  @Column('text') state: WithdrawalState;
  /** The recorded refusal: its error code, message and result. */
  @Column('text', { name: 'error_code', nullable: true }) errorCode: ErrorCode | null;
  @Column('text', { name: 'error_message', nullable: true }) errorMessage: string | null;
  @Column('jsonb', { name: 'error_result', nullable: true }) errorResult: Record<string, unknown> | null;
  /** When the sweep checks the withdrawal next; null = it is settled, or an operator has to decide. */
  @Column('timestamptz', { name: 'next_check_at', nullable: true }) nextCheckAt: Date | null;
  @Column('integer', { name: 'check_count' }) checkCount: number;
  /**
   * Since when the exchange answers without listing the accepted withdrawal, or refuses to answer; null = its last
   * answer did neither. A check in which the exchange could not be queried keeps this time.
   */
  @Column('timestamptz', { name: 'unconfirmed_since', nullable: true }) unconfirmedSince: Date | null;
  /** Since when the exchange could not be queried; null = it has answered. */
  @Column('timestamptz', { name: 'unanswered_since', nullable: true }) unansweredSince: Date | null;
  @Column('timestamptz', { name: 'created_at' }) createdAt: Date;
  @Column('timestamptz', { name: 'updated_at' }) updatedAt: Date;
  @Column('timestamptz', { name: 'state_changed_at' }) stateChangedAt: Date;
}
