import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { Config } from '#platform/config';
import { SealedTables, wrongKeysIn, type KeyProblem } from '#platform/crypto';
import { acrossProjects, databaseProblemOf } from '#platform/database';
import { logFailedWork } from '#platform/errors';
import { StartRefused } from '#platform/lifecycle';
import { LOGGER, logRepeated, type Logger } from '#platform/logging';

const NOT_COMPARED = 'the process could not check whether its vault has the keys of all stored records';

/**
 * Compares the keys of the vault with stored records. A process does not start when a key has other bytes than those
 * of the stored records, because it would seal new records that no other process can open. A process with a missing key
 * starts, but it is ready only when VAULT_LOST_KEYS names the key: owners can again connect wallets whose key is lost.
 */
@Injectable()
export class CheckVaultKeys implements OnModuleInit {
  /** null = the keys have not been compared yet. */
  private areRight: boolean | null = null;

  constructor(
    private readonly samples: SealedTables,
    private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** @throws StartRefused when a key has other bytes than those of the stored records. */
  async onModuleInit(): Promise<void> {
    const wrong = await this.compare();
    if (wrong !== null) throw new StartRefused(wrong);
  }

  /**
   * Whether the vault has the keys of the stored records, except for lost keys, and no key has other bytes. Compares
   * the keys when the comparison at the start has failed, such as before the first migration.
   */
  async check(): Promise<boolean> {
    if (this.areRight === null) {
      const wrong = await this.compare();
      if (wrong !== null) this.logger.error(wrong);
    }
    return this.areRight === true;
  }

  /** @returns the description of keys with other bytes; null = there is none, or the comparison failed. */
  private async compare(): Promise<string | null> {
    try {
      const problems = await acrossProjects(() => this.samples.findProblems());
      const wrong = wrongKeysIn(problems);
      const missing = problems.filter(({ kind }) => kind === 'missing');
      const isLost = ({ keyId }: KeyProblem): boolean => this.config.values.VAULT_LOST_KEYS.includes(keyId);
      const needed = missing.filter((problem) => !isLost(problem));
      this.areRight = wrong === null && needed.length === 0;
      if (needed.length > 0)
        this.logger.error(
          describe(needed),
          'not ready: the vault lacks keys of stored records: add the keys to VAULT_KEYS_FILE, or name keys that are lost for ever in VAULT_LOST_KEYS, and restart',
        );
      const lost = missing.filter(isLost);
      if (lost.length > 0)
        this.logger.warn(
          describe(lost),
          'the vault lacks keys of stored records that VAULT_LOST_KEYS names: owners have to connect these wallets again',
        );
      const doubtful = problems.filter(({ kind }) => kind === 'doubtful');
      if (doubtful.length > 0)
        this.logger.error(
          describe(doubtful),
          'a key of the vault opens only some of its stored records: a record was altered, or a process ran with other bytes under the same key id',
        );
      return wrong;
    } catch (error) {
      const problem = databaseProblemOf(error);
      if (problem === null) logFailedWork(this.logger, error, NOT_COMPARED);
      else logRepeated(this.logger, 'warn', { message: NOT_COMPARED, cause: 'database', facts: { because: problem } });
      return null;
    }
  }
}

function describe(problems: readonly KeyProblem[]): { keyIds: string[]; tables: string[] } {
  return {
    keyIds: problems.map(({ keyId }) => keyId),
    tables: [...new Set(problems.flatMap(({ tables }) => tables))],
  };
}
