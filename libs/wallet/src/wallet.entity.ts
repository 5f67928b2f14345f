import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One account at one exchange, connected by a project. */
@Entity('wallets')
export class Wallet {
  /** Ours (UUIDv7), never shown: what other tables refer to. A wallet that is connected anew after a deletion has another. */
  @PrimaryColumn({ name: 'id', type: 'uuid' })
  id: string;

  @Column({ name: 'project_id', type: 'uuid' })
  projectId: string;

  /** The caller's, unique among the connected wallets of the project. */
  @Column({ name: 'wallet_id', type: 'text' })
  walletId: string;

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

  /** Set once the wallet is deleted; its history keeps referring to the row. */
  @Column({ name: 'deleted_at', type: 'timestamptz', nullable: true })
  deletedAt: Date | null;
}
