import type { Command } from 'commander';
import { ResealRecords, VaultStatus, type KeyStatus, type ResealProgress } from '#platform/crypto';
import { integer } from './arguments.js';
import { bar } from './progress-bar.js';
import { BadFinding, WITH_EXCHANGES, type RunCommand } from './run-command.js';
import type { Columns } from './terminal.js';

/** Default and maximum number of rows that one query of `vault rotate` lists. */
const BATCH = 200;
const BATCH_MAX = 2_000;

const columns: Columns<KeyStatus> = {
  KEY: (key) => key.keyId,
  'KEPT IN': ({ source }) => source ?? 'missing',
  USE: ({ isPrimary, source }) => (isPrimary ? 'primary' : source === null ? '-' : 'decrypts only'),
  RECORDS: ({ records }) => String(records),
  TABLES: ({ tables }) =>
    Object.entries(tables)
      .map(([table, count]) => `${table}: ${count}`)
      .join(', ') || '-',
  SAMPLES: ({ problem, records }) => problem ?? (records === 0 ? '-' : 'open'),
  'MAY BE REMOVED': ({ mayBeRemoved }) => (mayBeRemoved ? 'yes' : 'no'),
};

export function addVaultCommands(program: Command, run: RunCommand): void {
  const vault = program.command('vault').description('the keys with which stored secrets are encrypted');

  vault
    .command('status')
    .description('show which keys the stored records need, samples that cannot be opened, and keys that may be removed')
    .action(() =>
      run(async ({ app, terminal }) => {
        const keys = await app.get(VaultStatus).execute();
        terminal.list(keys, columns);
        terminal.remark('Remove a key only after every API and worker was restarted with the present primary key.');
        const problems = keys.filter(({ problem }) => problem !== null);
        if (problems.length > 0)
          throw new BadFinding(`samples cannot be opened: ${problems.map(({ keyId }) => keyId).join(', ')}`);
      }, WITH_EXCHANGES),
    );

  vault
    .command('rotate')
    .description(
      'encrypt all stored secrets again with the primary key, under load; run it again after an interruption',
    )
    .option('--batch <number>', 'rows that one query lists', integer(1, BATCH_MAX), BATCH)
    .action(({ batch }: { batch: number }) =>
      run(async ({ app, terminal }) => {
        const onProgress = (progress: ResealProgress): void => terminal.passing(describe(progress));
        const result = await app.get(ResealRecords).execute({ batch, onProgress });
        terminal.endPassing();
        if (terminal.isJson) terminal.value(result);
        terminal.remark(`${result.resealed} rows were encrypted again.`);
        if (result.left > 0)
          throw new BadFinding(
            `${result.left} rows have other keys, because processes still write with them: restart every process with the present keys, and run the command again`,
          );
        if (result.unreadable > 0)
          throw new BadFinding(
            `${result.unreadable} rows cannot be decrypted and were left: ${result.unreadableRows.join(', ')}`,
          );
      }, WITH_EXCHANGES),
    );
}

function describe({ table, done, total }: ResealProgress): string {
  return `${table.padEnd(20)} ${bar(total === 0 ? 1 : done / total)} ${done} of ${total}`;
}
