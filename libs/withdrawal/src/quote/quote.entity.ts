import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { FeeDetail, WithdrawalRequirement } from '#exchange';
import { dollarValue } from '#market';
import type { Amount } from '#money';
import { AmountColumn } from '#platform/database';

/** A part of the fee as stored: the amount is a plain decimal. */
export interface StoredFeeDetail extends Omit<FeeDetail, 'amount'> {
  amount: string;
  /** US dollars when the quote was made; left out = no price was known. */
  amountInFiat?: string;
}

/** What a withdrawal would do and cost. Immutable: the database refuses updates and deletes. */
@Entity('quotes')
export class Quote {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid', { name: 'project_id' }) projectId: string;
  /** Our id of the wallet. */
  @Column('uuid', { name: 'wallet_id' }) walletId: string;
  /** Version of the credentials that the exchange was asked with; only they execute the quote. */
  @Column('text', { name: 'credential_version' }) credentialVersion: string;
  @Column('text') exchange: string;
  @Column('text') asset: string;
  /** Our network id. */
  @Column('text') network: string;
  @Column('text') address: string;
  @Column('text', { nullable: true }) tag: string | null;
  @Column('boolean', { name: 'include_fee' }) includeFee: boolean;
  /** What arrives. */
  @AmountColumn({ name: 'amount_no_fee' }) amountNoFee: Amount;
  @AmountColumn() fee: Amount;
  /** What is debited: always `amountNoFee + fee`. */
  @AmountColumn({ name: 'amount_with_fee' }) amountWithFee: Amount;
  @Column('jsonb', { name: 'fee_details' }) feeDetails: StoredFeeDetail[];
  @Column('jsonb') requirements: WithdrawalRequirement[];
  @AmountColumn({ name: 'min_withdrawal', nullable: true }) minWithdrawal: Amount | null;
  @AmountColumn({ name: 'max_withdrawal', nullable: true }) maxWithdrawal: Amount | null;
  /** US dollars for one unit of the asset when the quote was made; null = not known. */
  @AmountColumn({ name: 'price_usd', nullable: true }) priceUsd: Amount | null;
  @Column('timestamptz', { name: 'created_at' }) createdAt: Date;
  @Column('timestamptz', { name: 'expires_at' }) expiresAt: Date;

  isExpired(now: Date): boolean {
    return now >= this.expiresAt;
  }

  /** What an amount of the asset was worth in US dollars when the quote was made; null = not known. */
  inDollars(amount: Amount): Amount | null {
    return dollarValue(amount, this.priceUsd);
  }
}
