import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { SubmissionClass } from '#exchange';
import type { Amount } from '#money';
import { AmountColumn } from '#platform/database';
import type { AttemptOutcome } from './withdrawal-state.js';

/** One submission: what was sent, when, and its outcome. */
@Entity('withdrawal_attempts')
export class WithdrawalAttempt {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid', { name: 'project_id' }) projectId: string;
  @Column('uuid', { name: 'withdrawal_id' }) withdrawalId: string;
  @Column('uuid', { name: 'wallet_id' }) walletId: string;
  @Column('text', { name: 'credential_version' }) credentialVersion: string;
  @Column('text') connector: string;
  @Column('text', { name: 'connector_version' }) connectorVersion: string;
  @Column('text') class: SubmissionClass;
  @Column('text', { name: 'client_ref', nullable: true }) clientRef: string | null;
  /** See `DuplicateKeys`: no two unresolved attempts have the same key. */
  @Column('text', { name: 'debit_key' }) debitKey: string;
  /** See `DuplicateKeys`: no two unresolved attempts have the same key. */
  @Column('text', { name: 'receipt_key' }) receiptKey: string;
  /** Holdings of the asset just before the attempt. Unchanged ones later are evidence that nothing was executed. */
  @AmountColumn({ name: 'total_before' }) totalBefore: Amount;
  @AmountColumn({ name: 'free_before' }) freeBefore: Amount;
  /** Ids of the exchange's records that matched before anything was sent; none of them belongs to this attempt. */
  @Column('text', { name: 'known_ids', array: true }) knownIds: string[];
  /**
   * Ids of the records in the last listing that may be this attempt's, because they belong to no other withdrawal;
   * null = not listed yet.
   */
  @Column('text', { name: 'seen_ids', array: true, nullable: true }) seenIds: string[] | null;
  /** Time of the last listing. */
  @Column('timestamptz', { name: 'seen_at', nullable: true }) seenAt: Date | null;
  /** When `seenIds` last changed. */
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
