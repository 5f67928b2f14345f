import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Vault } from '#platform/crypto';
import { Database, databaseProblemOf } from '#platform/database';
import { logFailedWork } from '#platform/errors';
import { LOGGER, type Logger } from '#platform/logging';

const NOT_COMPARED = 'the process could not check whether its vault has the keys of all stored credentials';

const KEY_ID = `(sealed->'fields'->'apiKey'->>'keyId')`;
/**
 * The ids of the keys with which the stored credentials are encrypted, in ascending order. Each step reads the next id
 * from the index, so the query takes as many steps as there are keys, however many credentials are stored.
 */
export const KEYS_IN_USE = `
  with recursive keys (id) as (
    select min(${KEY_ID}) from wallet_credentials
    union all
    select (select min(${KEY_ID}) from wallet_credentials where ${KEY_ID} > keys.id) from keys where keys.id is not null
  )
  select id as "keyId" from keys where id is not null`;

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
      const keyIds = (await this.db.query<{ keyId: string }>(KEYS_IN_USE))
        .map(({ keyId }) => keyId)
        .filter((keyId) => !this.vault.has(keyId));
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
}
