import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Vault } from '#platform/crypto';
import { Database, databaseProblemOf } from '#platform/database';
import { logFailedWork } from '#platform/errors';
import { LOGGER, type Logger } from '#platform/logging';

const NOT_COMPARED = 'the keys of stored credentials were not compared with the vault';

/**
 * Logs at the start of a process which keys its vault lacks for the stored credentials. The process starts in any
 * case, also when the comparison fails, because owners can connect wallets again whose key is lost.
 */
@Injectable()
export class ReportMissingKeys implements OnApplicationBootstrap {
  constructor(
    private readonly db: Database,
    private readonly vault: Vault,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    try {
      const keyIds = (await this.keysInUse()).filter((keyId) => !this.vault.has(keyId));
      if (keyIds.length === 0) return;
      this.logger.error(
        { keyIds },
        'the vault lacks keys of stored credentials, whose wallets cannot be used: add the keys to VAULT_KEYS_FILE, and restart',
      );
    } catch (error) {
      const problem = databaseProblemOf(error);
      if (problem === null) logFailedWork(this.logger, error, NOT_COMPARED);
      else this.logger.warn({ because: problem }, NOT_COMPARED);
    }
  }

  /** The ids of the keys with which the stored credentials are encrypted. */
  private async keysInUse(): Promise<string[]> {
    const rows = await this.db.query<{ keyId: string }>(
      `select distinct sealed -> 'fields' -> 'apiKey' ->> 'keyId' as "keyId" from wallet_credentials order by 1`,
    );
    return rows.map(({ keyId }) => keyId);
  }
}
