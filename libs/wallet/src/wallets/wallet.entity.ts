import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How far the first reading of a wallet's history has come. */
export interface SyncProgress {
  /** `reading` until the beginning of the account has been reached. */
  state: 'reading' | 'complete';
  /** Records read so far. */
  records: number;
  /** Time of the oldest of them; null = none yet. ISO 8601. */
  reachedAt: string | null;
  /** 0 to 1: the part of the time since the exchange began that has been read. It jumps to 1 at the account's beginning. */
  fraction: number;
}

/** One account at one exchange, connected by a project. */
@Entity('wallets')
export class Wallet {
  /** Ours (UUIDv7), never shown: what other tables refer to. A wallet that is connected anew after a deletion has another. */
  @PrimaryColumn({ name: 'id', type: 'uuid' })
  id: string;

  @Column({ name: 'project_id', type: 'uuid' })
  projectId: string;

  /** The caller's, unique among the connected wallets of the project. */
  @Column({ name: 'external_id', type: 'text' })
  externalId: string;

  @Column({ name: 'exchange', type: 'text' })
  exchange: string;

  /** The exchange itself has said that the stored credentials are invalid, and nothing has shown otherwise since. */
  @Column({ name: 'invalid_api', type: 'boolean' })
  invalidApi: boolean;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  /** Last change of the credentials or of `invalidApi`; a sync of balances is no change. */
  @Column({ name: 'updated_at', type: 'timestamptz' })
  updatedAt: Date;

  /** When the stored balances were asked of the exchange; null = never. */
  @Column({ name: 'last_sync_at', type: 'timestamptz', nullable: true })
  lastSyncAt: Date | null;

  /** When the balances are to be refreshed in the background. */
  @Column({ name: 'next_sync_at', type: 'timestamptz' })
  nextSyncAt: Date;

  /** Background refreshes in a row that brought nothing. */
  @Column({ name: 'sync_failures', type: 'integer' })
  syncFailures: number;

  /** Whether the history of the wallet is being kept up. */
  @Column({ name: 'history_tracked', type: 'boolean' })
  historyTracked: boolean;

  /** How far the first reading of the history has come; null = it has not begun. */
  @Column({ name: 'sync_progress', type: 'jsonb', nullable: true })
  syncProgress: SyncProgress | null;

  /** Set once the wallet is deleted; its history keeps referring to the row. */
  @Column({ name: 'deleted_at', type: 'timestamptz', nullable: true })
  deletedAt: Date | null;
}
