import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '#platform/clock';
import { Database } from '#platform/database';
import { KeyDigests } from '../credentials/key-digests.js';

/** The account that a notice of an exchange is about. */
export interface NotifiedAccount {
  /** null = every exchange of test projects, because the accounts of all test projects are at the sandbox exchange. */
  exchange: string | null;
  /** SHA-256 of the account's API keys and access tokens. */
  keyDigests: readonly Buffer[];
}

/** Makes the balances of wallets due for a refresh, because their exchange reports a change. */
@Injectable()
export class MakeBalancesDue {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly digests: KeyDigests,
  ) {}

  /**
   * Leaves out wallets whose credentials the exchange refuses, because calls with such credentials could lock the
   * account.
   * @returns the ids of the wallets of the account.
   */
  async execute(tx: EntityManager, { exchange, keyDigests }: NotifiedAccount): Promise<string[]> {
    const wallets = await this.db.query<{ id: string }>(
      `update wallets w set next_sync_at = least(next_sync_at, $3)
        where deleted_at is null and not invalid_api
          and id in (select wallet_id from wallet_credentials where key_digest = any($1))
          and case when $2::text is null then (select mode = 'test' from projects p where p.id = w.project_id)
                   else exchange = $2 and (select mode = 'live' from projects p where p.id = w.project_id) end
       returning id`,
      [keyDigests.map((digest) => this.digests.ofDigest(digest)), exchange, this.clock.now()],
      tx,
    );
    return wallets.map(({ id }) => id);
  }
}
