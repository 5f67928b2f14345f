import { Injectable } from '@nestjs/common';
import { rowsOfEachKey, SealedSamples, type SealedRecord, type SealedSample } from '#platform/crypto';
import { Database } from '#platform/database';
import { Wallets } from '../wallets/wallets.service.js';
import { contextOf } from './sealed-credentials.js';

/** Registers the sealed tables of wallets, so that each process compares its keys with them. */
@Injectable()
export class WalletSamples {
  constructor(
    private readonly db: Database,
    private readonly wallets: Wallets,
    samples: SealedSamples,
  ) {
    const apiKey = `sealed->'fields'->'apiKey'`;
    samples.add('wallet_credentials', () => this.read('wallet_credentials', apiKey, 'apiKey'));
    samples.add('replaced_credentials', () => this.read('replaced_credentials', apiKey, 'apiKey'));
    samples.add('wallet_grants', () => this.read('wallet_grants', 'sealed', 'refreshToken'));
  }

  private async read(table: string, record: string, field: 'apiKey' | 'refreshToken'): Promise<SealedSample[]> {
    const rows = await this.db.query<{ walletId: string; sealed: SealedRecord }>(
      `select wallet_id as "walletId", ${record} as sealed from (${rowsOfEachKey(table, record)}) found`,
    );
    const owned = await this.wallets.withProjects(rows);
    return owned.map(({ sealed, ...owner }) => ({ record: sealed, context: contextOf(owner, field) }));
  }
}
