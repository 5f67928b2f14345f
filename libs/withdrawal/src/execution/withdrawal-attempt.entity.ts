import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { SubmissionClass } from '#exchange';
import type { Amount } from '#money';
import { AmountColumn } from '#platform/database';
import type { AttemptOutcome } from './withdrawal-state.js';

/** What was really sent, when and how. Its id is the token that guards the recording of its result. */
@Entity('withdrawal_attempts')
export class WithdrawalAttempt {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid', { name: 'withdrawal_id' }) withdrawalId: string;
  @Column('uuid', { name: 'wallet_id' }) walletId: string;
  @Column('text', { name: 'credential_version' }) credentialVersion: string;
  @Column('text') connector: string;
  @Column('text', { name: 'connector_version' }) connectorVersion: string;
  @Column('text') class: SubmissionClass;
  @Column('text', { name: 'client_ref', nullable: true }) clientRef: string | null;
  /** Wallet, asset, network, receiver, tag and what is debited: no two unresolved attempts share it. */
  @Column('text', { name: 'debit_key' }) debitKey: string;
  /** The same with what the receiver gets. */
  @Column('text', { name: 'receipt_key' }) receiptKey: string;
  /** Total of the asset just before; an unchanged one later supports that nothing was executed. */
  @AmountColumn({ name: 'balance_before', nullable: true }) balanceBefore: Amount | null;
  /** Records of the exchange that looked alike before anything was sent: none is this attempt. */
  @Column('text', { name: 'known_ids', array: true }) knownIds: string[];
  /** Records that fit and belong to no other withdrawal, as of the last listing; null = not listed yet. */
  @Column('text', { name: 'seen_ids', array: true, nullable: true }) seenIds: string[] | null;
  /** When that was. */
  @Column('timestamptz', { name: 'seen_at', nullable: true }) seenAt: Date | null;
  @Column('timestamptz', { name: 'seen_since', nullable: true }) seenSince: Date | null;
  @Column('jsonb') request: Record<string, string>;
  @Column('timestamptz', { name: 'started_at' }) startedAt: Date;
  @Column('timestamptz', { name: 'lease_until' }) leaseUntil: Date;
  /** After this moment the exchange can no longer accept the request; null = no such deadline. */
  @Column('timestamptz', { name: 'submission_deadline', nullable: true }) submissionDeadline: Date | null;
  @Column('timestamptz', { name: 'sent_at', nullable: true }) sentAt: Date | null;
  @Column('timestamptz', { name: 'finished_at', nullable: true }) finishedAt: Date | null;
  @Column('text') outcome: AttemptOutcome;
  @Column('text', { name: 'exchange_id', nullable: true }) exchangeId: string | null;
  @Column('jsonb', { nullable: true }) answer: Record<string, unknown> | null;
  @Column('integer', { name: 'clean_listings' }) cleanListings: number;
  @Column('timestamptz', { name: 'last_clean_listing_at', nullable: true }) lastCleanListingAt: Date | null;
}
