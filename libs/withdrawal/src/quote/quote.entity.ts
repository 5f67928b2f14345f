import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { FeeDetail, WithdrawalRequirement } from '#exchange';
import { dollarValue } from '#market';
import type { Amount } from '#money';
import { AmountColumn } from '#platform/database';

/** A part of the fee as it is stored; the amount is a plain decimal. */
export interface StoredFeeDetail extends Omit<FeeDetail, 'amount'> {
  amount: string;
  /** Value in US dollars when the quote was made; absent = no price was known. */
  amountInFiat?: string;
}

/**
 * The fee and the amounts of a possible withdrawal. Immutable: the database refuses every update, and deletes only an
 * expired quote without a withdrawal.
 */
@Entity('quotes')
export class Quote {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid', { name: 'project_id' }) projectId: string;
  /** Our id of the wallet. */
  @Column('uuid', { name: 'wallet_id' }) walletId: string;
  /** Version of the credentials that the quote was made with. Only these credentials may execute the quote. */
  @Column('text', { name: 'credential_version' }) credentialVersion: string;
  @Column('text') exchange: string;
  @Column('text') asset: string;
  /** Our network id. */
  @Column('text') network: string;
  @Column('text') address: string;
  @Column('text', { nullable: true }) tag: string | null;
  @Column('boolean', { name: 'include_fee' }) includeFee: boolean;
  /** The amount that arrives. */
  @AmountColumn({ name: 'amount_no_fee' }) amountNoFee: Amount;
  @AmountColumn() fee: Amount;
  /** The debited amount, always `amountNoFee + fee`. */
  @AmountColumn({ name: 'amount_with_fee' }) amountWithFee: Amount;
  @Column('jsonb', { name: 'fee_details' }) feeDetails: StoredFeeDetail[];
  @Column('jsonb') requirements: WithdrawalRequirement[];
  @AmountColumn({ name: 'min_withdrawal', nullable: true }) minWithdrawal: Amount | null;
  @AmountColumn({ name: 'max_withdrawal', nullable: true }) maxWithdrawal: Amount | null;
  /** Price of one unit in US dollars when the quote was made; null = not known. */
  @AmountColumn({ name: 'price_usd', nullable: true }) priceUsd: Amount | null;
  @Column('timestamptz', { name: 'created_at' }) createdAt: Date;
  @Column('timestamptz', { name: 'expires_at' }) expiresAt: Date;

  isExpired(now: Date): boolean {
    return now >= this.expiresAt;
  }

  /** Value of an amount in US dollars at the price of the quote; null = not known. */
  inDollars(amount: Amount): Amount | null {
    return dollarValue(amount, this.priceUsd);
  }
}
