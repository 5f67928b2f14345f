import { Injectable } from '@nestjs/common';
import { Clock } from '#platform/clock';
import { Database } from '#platform/database';
import type { WalletTarget } from '../credentials/wallet-credentials.service.js';
import { CredentialRefusals } from './credential-refusals.js';
import { InvalidApiFlag } from '../wallets/invalid-api-flag.js';

/** Records that a live call has accepted the credentials of a wallet. */
@Injectable()
export class RecordValidCredentials {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly flag: InvalidApiFlag,
    private readonly refusals: CredentialRefusals,
  ) {}

  /**
   * Clears the flag, unless the credentials were replaced since the call. Makes a refresh due at once that was
   * postponed because of failures. A wallet whose grant has ended keeps its flag: its access token is valid a little
   * longer, but the account must be connected again.
   */
  async execute(tested: Pick<WalletTarget, 'walletId' | 'version'>): Promise<void> {
    await this.refusals.endSeries(tested);
    await this.db.transaction(async (tx) => {
      const valid = await this.db.query(
        `update wallets w set sync_failures = 0, next_sync_at = least(w.next_sync_at, $3)
           from wallet_credentials c
          where w.id = $1 and w.deleted_at is null and (w.invalid_api or w.sync_failures > 0)
            and c.wallet_id = w.id and c.sealed->>'id' = $2
            and not exists (select from wallet_grants where wallet_id = $1 and ended_at is not null)
         returning w.id`,
        [tested.walletId, tested.version, this.clock.now()],
        tx,
      );
      if (valid.length > 0) await this.flag.clear(tx, tested.walletId);
    });
  }
}
