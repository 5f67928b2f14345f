import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Progress of the first reading of a wallet's history. */
export interface SyncProgress {
  /** `complete` once the beginning of the account has been reached. */
  state: 'reading' | 'complete';
  /** Number of records read so far. */
  records: number;
  /** Time of the oldest record that was read. ISO 8601; null = none yet. */
  reachedAt: string | null;
  /** All records that are later than this were read. ISO 8601; null = none yet. */
  completeSince: string | null;
  /** The latest moment of which the exchange may have more records than it lists. ISO 8601; null = there is none. */
  unlistedAt: string | null;
  /**
   * How much of the period since the launch of the exchange has been read, from 0 to 1. It becomes 1 when the beginning
   * of the account is reached.
   */
  fraction: number;
}

/** One account at one exchange, connected by a project. */
@Entity('wallets')
export class Wallet {
  /**
   * Our id (UUIDv7), which other tables refer to. Callers never see it. A wallet that is deleted and connected again
   * gets a new id.
   */
  @PrimaryColumn({ name: 'id', type: 'uuid' })
  id: string;

  @Column({ name: 'project_id', type: 'uuid' })
  projectId: string;

  /** The caller's own id, unique among the connected wallets of the project. */
  @Column({ name: 'external_id', type: 'text' })
  externalId: string;

  @Column({ name: 'exchange', type: 'text' })
  exchange: string;

  /**
   * The flag: the exchange has answered that the stored credentials are invalid. `InvalidApiFlag` sets and clears it.
   */
  @Column({ name: 'invalid_api', type: 'boolean' })
  invalidApi: boolean;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  /** Last change of the credentials or of `invalidApi`. A sync of balances does not change it. */
  @Column({ name: 'updated_at', type: 'timestamptz' })
  updatedAt: Date;

  /** When the stored balances were requested from the exchange; null = not yet with the current credentials. */
  @Column({ name: 'last_sync_at', type: 'timestamptz', nullable: true })
  lastSyncAt: Date | null;

  /** When the worker refreshes the balances next. */
  @Column({ name: 'next_sync_at', type: 'timestamptz' })
  nextSyncAt: Date;

  /** Failed background refreshes in a row. */
  @Column({ name: 'sync_failures', type: 'integer' })
  syncFailures: number;

  /** Whether the worker reads the history of the wallet. */
  @Column({ name: 'history_tracked', type: 'boolean' })
  historyTracked: boolean;

  /** Progress of the first reading of the history; null = it has not begun. */
  @Column({ name: 'sync_progress', type: 'jsonb', nullable: true })
  syncProgress: SyncProgress | null;

  /** Number of the last write of the credentials. Sealed credentials are bound to the number of their write. */
  @Column({ name: 'credentials_sequence', type: 'integer' })
  credentialsSequence: number;

  /** Set once the wallet is deleted; its history keeps referring to the row. */
  @Column({ name: 'deleted_at', type: 'timestamptz', nullable: true })
  deletedAt: Date | null;
}
