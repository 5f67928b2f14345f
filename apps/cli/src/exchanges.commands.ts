import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import { exchangeIds, PauseStore, type StoredPause } from '#exchange';
import { addCheckCommand, type CheckParts } from './check-exchange.command.js';
import { ResumeExchange } from './resume-exchange.js';
import type { RunCommand } from './run-command.js';
import { time, type Columns } from './terminal.js';

const columns: Columns<StoredPause> = {
  EXCHANGE: (pause) => pause.exchange,
  SITE: (pause) => pause.origin,
  REACH: (pause) => pause.of,
  ENDPOINT: (pause) => pause.endpoint ?? '-',
  CREDENTIAL: (pause) => pause.credentialId ?? '-',
  REASON: (pause) => `${pause.reason} (HTTP ${pause.status})`,
  SINCE: (pause) => time(pause.beganAt),
  UNTIL: (pause) => time(pause.endsAt),
};

function exchangeId(value: string): string {
  if (exchangeIds.includes(value)) return value;
  throw new InvalidArgumentError(`there is no exchange with this id; use one of ${exchangeIds.join(', ')}`);
}

export function addExchangesCommands(program: Command, run: RunCommand, check: CheckParts): void {
  const exchanges = program
    .command('exchanges')
    .description(
      'pauses and bans that exchanges demand: show them, or end them early; compare an exchange with its documentation',
    );

  addCheckCommand(exchanges, check);

  exchanges
    .command('status')
    .description('list the pauses of calls to exchanges, with their reason, reach and end; the last to end comes first')
    .action(() => run(async ({ app, terminal }) => terminal.list(await app.get(PauseStore).list(), columns)));

  exchanges
    .command('resume')
    .description(
      'end all pauses of an exchange in every process at once, and list them; the exchange may make a ban longer when it is called during the ban',
    )
    .argument('<exchange>', 'id of the exchange', exchangeId)
    .action((exchange: string) =>
      run(async ({ app, terminal, actor }) =>
        terminal.list(await app.get(ResumeExchange).execute(exchange, actor), columns),
      ),
    );
}
