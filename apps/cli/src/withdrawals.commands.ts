import { InvalidArgumentError, Option, type Command } from 'commander';
import {
  ListReviews,
  SettleWithdrawal,
  ShowWithdrawal,
  operatorOutcomes,
  withdrawalStates,
  type OperatorOutcome,
  type ReviewItem,
  type ReviewState,
} from '#withdrawal';
import type { PageQuery } from '#platform/http';
import { addPageOptions, id, textList } from './arguments.js';
import { WITH_EXCHANGES, type RunCommand } from './run-command.js';
import { time, type Columns } from './terminal.js';
import { reportWithdrawal } from './withdrawal-report.js';

const states: readonly ReviewState[] = [...withdrawalStates, 'unmatched'];

const columns: Columns<ReviewItem> = {
  ID: (item) => item.id,
  STATE: (item) => item.state,
  SINCE: (item) => time(item.since),
  PROJECT: (item) => item.projectId,
  WALLET: (item) => item.externalWalletId,
  EXCHANGE: (item) => item.exchange,
  AMOUNT: (item) => `${item.amount} ${item.asset}`,
  TO: (item) => item.address ?? '-',
  'EXCHANGE ID': (item) => item.exchangeId ?? '-',
};

export function addWithdrawalsCommands(program: Command, run: RunCommand): void {
  const withdrawals = program.command('withdrawals').description('withdrawals that wait for an operator');
  addList(withdrawals, run);
  withdrawals
    .command('show')
    .description('show a withdrawal: what was sent, what the exchange responded, and what it lists now')
    .argument('<id>', 'id of the withdrawal, or of an unmatched record', id)
    .action((withdrawalId: string) =>
      run(
        async ({ app, terminal }) => reportWithdrawal(await app.get(ShowWithdrawal).execute(withdrawalId), terminal),
        WITH_EXCHANGES,
      ),
    );
  addSettle(withdrawals, run);
}

function addList(withdrawals: Command, run: RunCommand): void {
  addPageOptions(
    withdrawals
      .command('list')
      .description('list withdrawals of all projects, oldest state change first')
      .option('--state <list>', `${states.join(', ')}; separate several by commas`, stateList, ['review', 'unmatched'])
      .option('--wallet <id>', 'the caller’s id of a wallet (default: every wallet)'),
  ).action(({ state, wallet = null, ...page }: PageQuery & { state: ReviewState[]; wallet?: string | null }) =>
    run(
      async ({ app, terminal }) =>
        terminal.list(await app.get(ListReviews).execute({ states: state, externalWalletId: wallet, page }), columns),
      WITH_EXCHANGES,
    ),
  );
}

interface SettleOptions {
  by: string;
  outcome?: OperatorOutcome;
  exchangeId?: string;
  reason?: string;
  confirmNotExecuted?: true;
  unrelated?: string[];
}

function addSettle(withdrawals: Command, run: RunCommand): void {
  withdrawals
    .command('settle')
    .description(
      'decide about a withdrawal in review, or confirm that an unmatched record was checked; recorded in the audit log',
    )
    .argument('<id>', 'id of the withdrawal, or of an unmatched record', id)
    .requiredOption('--by <name>', 'who decides')
    .addOption(
      new Option(
        '--outcome <outcome>',
        'submitted: the exchange has the withdrawal; completed: the exchange has it, and the worker cannot follow it, because the credentials are erased; failed: no money has left',
      ).choices(operatorOutcomes),
    )
    .option('--exchange-id <id>', 'with submitted or completed: the exchange’s own id of the withdrawal')
    .option('--reason <text>', 'what you have found; required with failed and for an unmatched record')
    .option('--confirm-not-executed', 'with failed: you have checked at the exchange that no money has left')
    .option(
      '--unrelated <list>',
      'with failed: the exchange’s ids of records that match but belong to other withdrawals',
      textList,
    )
    .action((withdrawalId: string, options: SettleOptions) =>
      run(async ({ app, terminal }) => {
        await app.get(SettleWithdrawal).execute({
          id: withdrawalId,
          operator: options.by,
          outcome: options.outcome ?? null,
          exchangeId: options.exchangeId ?? null,
          reason: options.reason ?? null,
          isNonExecutionConfirmed: options.confirmNotExecuted === true,
          unrelated: options.unrelated ?? [],
        });
        reportWithdrawal(await app.get(ShowWithdrawal).execute(withdrawalId), terminal);
      }, WITH_EXCHANGES),
    );
}

function stateList(text: string): ReviewState[] {
  return textList(text).map((part) => {
    const state = states.find((known) => known === part);
    if (state === undefined)
      throw new InvalidArgumentError(`Use states from ${states.join(', ')}, separated by commas.`);
    return state;
  });
}
